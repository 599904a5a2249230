/* `main` rounds upward before it calls: then `product` is above 1, and the loop never ends. */
#include <fenv.h>
int called(void) {
  volatile double one = 1, three = 3;
  double product = one / three * 3;
  if (product > 1.0)
    for (;;) {}
  return 0;
}
int main(void) {
  fesetround(FE_UPWARD);
  return called();
}
