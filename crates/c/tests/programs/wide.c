// Integers of unusual widths. (There is no __int128 on i386.)
#include <stdio.h>

#ifdef __SIZEOF_INT128__
typedef __int128 wide;
typedef unsigned __int128 unsigned_wide;
volatile wide a = ((wide)0x123456789abcdefLL << 64) | 0xfedcba9876543210ULL;
volatile wide b = -3;
unsigned_wide constants[2] = {((unsigned_wide)1 << 127) | 5, 7};

static void show(wide x) {
  printf("%016llx%016llx\n", (unsigned long long)((unsigned_wide)x >> 64), (unsigned long long)x);
}

static void widest(void) {
  show(a);
  show(a / b);
  show(a % b);
  show(a >> 70);
  show((unsigned_wide)a << 5);
  show((unsigned_wide)a + (unsigned_wide)b);
  show(a < b);
  show(constants[0] % constants[1]);
  show(~a);
  show((unsigned_wide)a * constants[0]);
}
#else
static void widest(void) {}
#endif

int main(void) {
  widest();
  _BitInt(37) odd = 5;
  odd *= -7;
  unsigned _BitInt(9) nine = 500;
  nine += 20;
  printf("%lld %d\n", (long long)odd, (int)nine);
  return 0;
}
