// Which of two zeros `fmin` returns, C leaves open.
#include <math.h>

int main(void) {
  if (signbit(fmin(-0.0, 0.0)))
    for (;;)
      ;
  return 0;
}
