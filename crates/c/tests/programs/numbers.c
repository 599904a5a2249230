// Arithmetic, conversions and comparisons, on values that no compiler can fold.
#include <limits.h>
#include <math.h>
#include <stdio.h>

#define SHOW(x) printf("%s = %lld\n", #x, (long long)(x))

volatile int minus_seven = -7, zero = 0;
volatile unsigned large = 0xFFFFFFF0u;
volatile double real = -2.5;
volatile float single = 1e10f;
volatile long double extended = 3.75L;
volatile char character = -100;
volatile short small = 300;
volatile long long wide = -123456789012345LL;
volatile unsigned long long widest = 0xF000000000000001ULL;

static void integers(void) {
  int a = minus_seven;
  unsigned u = large;
  long long l = wide;
  unsigned long long w = widest;
  SHOW(a / 2); SHOW(a % 3); SHOW(a >> 1); SHOW(u >> 3); SHOW(u * u); SHOW(u / 7); SHOW(u % 7);
  SHOW(-a); SHOW(~a); SHOW(!a); SHOW((unsigned char)a); SHOW((signed char)u); SHOW(a < u);
  SHOW(a < 0); SHOW((short)(u + 70000)); SHOW(character + small); SHOW((unsigned)character);
  SHOW(l / 1000); SHOW(l % 1000); SHOW(l >> 33); SHOW(w >> 60); SHOW(w % 10); SHOW(w / 3);
  SHOW((int)l); SHOW(l * 3); SHOW(a && zero); SHOW(a || zero); SHOW((zero, a)); SHOW((char)200);
  SHOW(sizeof(long)); SHOW(sizeof(long double));
  _Bool b = a;
  SHOW(b);
  b = 0.5;
  SHOW(b);
}

static void builtins(void) {
  int a = minus_seven, r;
  unsigned u = large, ur;
  long long l = wide, lr;
  short sr;
  SHOW(__builtin_popcount(u)); SHOW(__builtin_clz(u)); SHOW(__builtin_ctz(u));
  SHOW(__builtin_ffs(zero)); SHOW(__builtin_ffs(a)); SHOW(__builtin_bswap32(u));
  SHOW(__builtin_clzll(widest)); SHOW(__builtin_parity(u)); SHOW(__builtin_abs(a));
  SHOW(__builtin_rotateleft32(u, 5)); SHOW(__builtin_rotateright32(u, 0));
  SHOW(__builtin_add_overflow(INT_MAX, a, &r)); SHOW(r);
  SHOW(__builtin_add_overflow(INT_MAX, -a, &r)); SHOW(r);
  SHOW(__builtin_sub_overflow(INT_MIN, 1, &r)); SHOW(r);
  SHOW(__builtin_mul_overflow(a, INT_MAX, &r)); SHOW(r);
  SHOW(__builtin_mul_overflow(a, 3, &r)); SHOW(r);
  SHOW(__builtin_sub_overflow(3u, u, &ur)); SHOW(ur);
  SHOW(__builtin_umul_overflow(u, u, &ur)); SHOW(ur);
  SHOW(__builtin_mul_overflow(l, l, &lr)); SHOW(lr);
  SHOW(__builtin_add_overflow(a, small * 1000, &sr)); SHOW(sr);
  SHOW(__builtin_elementwise_add_sat(INT_MAX, -a)); SHOW(__builtin_elementwise_sub_sat(3u, u));
  SHOW(__builtin_elementwise_max(a, 3)); SHOW(__builtin_elementwise_min(u, 3u));
}

static void floats(void) {
  double d = real, nan = zero / 0.0, infinite = real * INFINITY;
  SHOW(d < 0); SHOW(d * 2); SHOW((int)d); SHOW((unsigned)(single / 1e3f)); SHOW(d == d);
  SHOW(nan == nan); SHOW(nan != nan); SHOW(nan < 1); SHOW(!(nan < 1)); SHOW(nan > 1);
  SHOW(isnan(nan)); SHOW(isinf(infinite)); SHOW(isfinite(d)); SHOW(isnormal(d));
  SHOW(isfinite(infinite)); SHOW(isnormal(0 * d)); SHOW(signbit(d) != 0);
  SHOW(islessgreater(d, nan)); SHOW(isunordered(d, nan)); SHOW(isgreaterequal(d, nan));
  SHOW(floor(d)); SHOW(ceil(d)); SHOW(trunc(d)); SHOW(round(d)); SHOW(rint(d)); SHOW(fabs(d) * 4);
  SHOW(sqrt(d * d) * 100); SHOW(fmod(d, 2) * 10); SHOW(copysign(3, d)); SHOW(fmin(d, nan) * 2);
  SHOW(fmax(nan, d) * 2); SHOW(lround(d)); SHOW(llrint(d)); SHOW(extended * 4);
  SHOW(extended * extended * 1000); SHOW((float)0.1 * 1e9); SHOW((double)single);
  SHOW((long double)d * 8); SHOW((unsigned long long)(d * -4e18)); SHOW((float)widest / 1e10);
  SHOW((double)widest / 1e10); SHOW((double)wide); SHOW(isinf(extended)); SHOW(-d * 2);
}

int main(void) {
  integers();
  builtins();
  floats();
  return 0;
}
