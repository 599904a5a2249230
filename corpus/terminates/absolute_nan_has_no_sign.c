/* fabs clears the sign of any NaN. */
#include <math.h>
int main(void) {
  volatile double zero = 0;
  while (signbit(fabs(zero / zero))) {}
  return 0;
}
