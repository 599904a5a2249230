/* The bits of the NaN, through memory: not known. */
#include <string.h>
int main(void) {
  volatile double infinity = __builtin_inf();
  double nan = infinity - infinity;
  unsigned long bits;
  memcpy(&bits, &nan, sizeof bits);
  while (!(bits >> 63)) {}
  return 0;
}
