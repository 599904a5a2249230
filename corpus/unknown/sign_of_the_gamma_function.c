// `lgamma` stores the sign in a global object.
#include <math.h>

int main(void) {
  extern int signgam;
  volatile double number = -0.5;
  volatile double result = lgamma(number);
  while (signgam != -1)
    ;
  return 0;
}
