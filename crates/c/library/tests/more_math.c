// The rest of <math.h> against the system's: other formats, and rounding to integers.
#include "harness.h"
#include <fenv.h>

OURS(ceil); OURS(floorf); OURS(truncf); OURS(roundf); OURS(rintf); OURS(nearbyint); OURS(floorl);
OURS(ceill); OURS(truncl); OURS(roundl); OURS(rintl); OURS(nearbyintl); OURS(fabsl); OURS(sqrtl);
OURS(fminl); OURS(fmaxl); OURS(fdimf); OURS(fdiml); OURS(scalbnf); OURS(scalblnf); OURS(drem);
OURS(lroundf); OURS(llroundf); OURS(lrintf); OURS(llrint); OURS(nan); OURS(nanf); OURS(fegetround);
OURS(fesetround); OURS(finite); OURS(finitef); OURS(finitel); OURS(__finitef); OURS(__finitel);
OURS(isinf); OURS(isinff); OURS(isinfl); OURS(__isinff); OURS(isnan); OURS(isnanf); OURS(isnanl);
OURS(__isnanl);

static int same(long double a, long double b) {
  return (a != a && b != b) || (a == b && !__signbitl(a) == !__signbitl(b));
}

static long double random_number(void) {
  static const long double edges[] = {0.0L, -0.0L, 0.5L, -0.5L, 1.5L, 2.5L, -2.5L, 1e30L, 0x1p63L,
                                      0x1p-16445L, 0x1p16383L, 0x1p-149L, 0x1p-1074L};
  switch (below(8)) {
  case 0:
    return edges[below(sizeof edges / sizeof *edges)];
  case 1:
    return below(2) ? (long double)INFINITY : -(long double)INFINITY;
  case 2:
    return NAN;
  default:
    return (long double)((int64_t)random_bits() >> below(64)) / (1 << below(20));
  }
}

#define ONE(name, a)                                                                               \
  do {                                                                                             \
    errno = ouro_errno = 0;                                                                        \
    long double expected = name(a), got = ouro_test_##name(a);                                     \
    CHECK(same(expected, got) && errno == ouro_errno, #name "(%La): %La, %d; ours %La, %d",        \
          (long double)(a), expected, errno, got, ouro_errno);                                     \
  } while (0)
#define TWO(name, a, b)                                                                            \
  do {                                                                                             \
    errno = ouro_errno = 0;                                                                        \
    long double expected = name(a, b), got = ouro_test_##name(a, b);                               \
    CHECK(same(expected, got) && errno == ouro_errno, #name "(%La, %La): %La, %d; ours %La, %d",   \
          (long double)(a), (long double)(b), expected, errno, got, ouro_errno);                   \
  } while (0)
#define TRUTH(name, a) CHECK(!(name)(a) == !ouro_test_##name(a), #name "(%La)", (long double)(a))
#define INTEGER(name, a)                                                                           \
  RUN(how, got = ouro_test_##name(a));                                                             \
  CHECK(how == LIMIT || got == name(a), #name "(%La)", (long double)(a))

void test_more_math(void) {
  enum end how;
  volatile long long got = 0;
  for (int round = 0; round < 20000; round++) {
    long double x = random_number(), y = random_number();
    double d = (double)x;
    float a = (float)x, b = (float)y;
    int exponent = (int)below(400) - 200;
    ONE(ceil, d); ONE(nearbyint, d);
    ONE(floorf, a); ONE(truncf, a); ONE(roundf, a); ONE(rintf, a);
    ONE(floorl, x); ONE(ceill, x); ONE(truncl, x); ONE(roundl, x); ONE(rintl, x);
    ONE(nearbyintl, x); ONE(fabsl, x); ONE(sqrtl, x);
    if (x != y) {
      TWO(fminl, x, y);
      TWO(fmaxl, x, y);
    }
    TWO(fdimf, a, b);
    TWO(fdiml, x, y);
    TWO(scalbnf, a, exponent);
    TWO(scalblnf, a, exponent);
    if (ouro_test_drem(d, (double)y) != 0)
      TWO(drem, d, (double)y);
    TRUTH(finite, d); TRUTH(finitef, a); TRUTH(finitel, x); TRUTH(__finitef, a);
    TRUTH(__finitel, x); TRUTH(isinf, d); TRUTH(isinff, a); TRUTH(isinfl, x); TRUTH(__isinff, a);
    TRUTH(isnan, d); TRUTH(isnanf, a); TRUTH(isnanl, x); TRUTH(__isnanl, x);
    INTEGER(lroundf, a);
    INTEGER(llroundf, a);
    INTEGER(lrintf, a);
    INTEGER(llrint, d);
  }
  CHECK(isnan(ouro_test_nan("")) && isnan(ouro_test_nanf("")), "nan");
  RUN(how, ouro_test_nan("1"));
  CHECK(how == LIMIT, "nan with a payload");
  CHECK(ouro_test_fegetround() == fegetround() && ouro_test_fesetround(FE_TONEAREST) == 0, "rounding");
  RUN(how, ouro_test_fesetround(FE_UPWARD));
  CHECK(how == LIMIT, "fesetround");
}
