/* Negation, fabs and copysign say what the sign is; NAN itself is made from bits. */
#include <math.h>
int main(void) {
  double nan = NAN;
  while (!signbit(nan) && signbit(-nan) && !signbit(fabs(-nan)) && signbit(copysign(nan, -1))) {}
  return 0;
}
