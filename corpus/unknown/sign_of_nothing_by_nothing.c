/* 0/0 is a NaN with the sign bit set on x86, and without where a compiler computes it. */
#include <math.h>
int main(void) {
  volatile double zero = 0;
  double nan = zero / zero;
  while (signbit(nan)) {}
  return 0;
}
