#include <math.h>
extern double __VERIFIER_nondet_double(void);
int main(void) {
  double x = __VERIFIER_nondet_double();
  double y = x - x; /* 0 or a NaN */
  if (y == 0) return 0;
  if (copysign(1.0, y) < 0)
    for (;;) {}
  return 0;
}
