// The logarithm of -1 sets `errno` to EDOM: this loops, but the model does not compute logarithms.
#include <errno.h>
#include <math.h>

int main(void) {
  volatile double number = -1;
  errno = 0;
  volatile double result = log(number);
  if (errno == EDOM)
    for (;;)
      ;
  return 0;
}
