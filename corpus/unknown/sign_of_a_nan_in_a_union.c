#include <math.h>
int main(void) {
  union { float number; unsigned bits; } view;
  volatile float minus = -1;
  view.number = sqrtf(minus);
  while (view.bits == 0x7fc00000u) {}
  return 0;
}
