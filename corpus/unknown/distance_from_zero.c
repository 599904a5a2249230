// 5, as everybody knows; `hypot` and complex numbers are not computed.
#include <complex.h>

int main(void) {
  double complex z = 3 + 4 * I;
  double size = cabs(z);
  while (size != 5) {
  }
  return 0;
}
