// Floating numbers against the system's, bit by bit.
#include "harness.h"

OURS(fmod); OURS(fmodf); OURS(remainder); OURS(remainderf); OURS(ldexp); OURS(ldexpf);
OURS(scalbn); OURS(scalbln); OURS(frexp); OURS(frexpf); OURS(modf); OURS(modff); OURS(ilogb);
OURS(ilogbf); OURS(logb); OURS(logbf); OURS(copysign); OURS(copysignf); OURS(fmin); OURS(fmax);
OURS(fminf); OURS(fmaxf); OURS(fdim); OURS(nextafter); OURS(nextafterf); OURS(sqrt); OURS(sqrtf);
OURS(floor); OURS(ceilf); OURS(trunc); OURS(round); OURS(rint); OURS(nearbyintf); OURS(lround);
OURS(llround); OURS(lrint); OURS(llrintf); OURS(fabs); OURS(fabsf); OURS(__isnan); OURS(__isinf);
OURS(__finite); OURS(__fpclassify); OURS(__fpclassifyf); OURS(__fpclassifyl); OURS(__signbit);
OURS(__signbitf); OURS(__signbitl); OURS(__isinfl); OURS(__isnanf);

// All NaNs are alike, but zeros have a sign.
static int same(double a, double b) {
  return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0;
}

static double random_double(void) {
  static const double edges[] = {0.0,      -0.0,     1.0,       -1.0,     0.5,    1.5,      2.5,
                                 INFINITY, -INFINITY, NAN,      0x1p-1074, 0x1p-1022, 0x1.fffffffffffffp1023,
                                 3.0,      -2.5,     0x1p52,    0x1p53,   0x1p-1073, 0x1.8p-1074, 0x1p1022};
  double value;
  uint64_t bits = random_bits();
  switch (below(5)) {
  case 0:
    return edges[below(sizeof edges / sizeof *edges)];
  case 1:
    return (double)((int64_t)bits >> below(64)) / (1 << below(20));
  case 2:
    bits &= 0x800fffffffffffff;
    bits >>= below(52);
    break;
  case 3:
    bits = (bits & 0x800fffffffffffff) | (uint64_t)(1000 + below(50)) << 52;
    break;
  default:
    break;
  }
  memcpy(&value, &bits, sizeof value);
  return isnan(value) ? NAN : value;
}

#define ONE(name, a)                                                                               \
  do {                                                                                             \
    errno = ouro_errno = 0;                                                                        \
    double expected = name(a), got = ouro_test_##name(a);                                          \
    CHECK(same(expected, got) && errno == ouro_errno, #name "(%a): %a, %d; ours %a, %d",           \
          (double)(a), expected, errno, got, ouro_errno);                                          \
  } while (0)
#define TWO(name, a, b)                                                                            \
  do {                                                                                             \
    errno = ouro_errno = 0;                                                                        \
    double expected = name(a, b), got = ouro_test_##name(a, b);                                    \
    CHECK(same(expected, got) && errno == ouro_errno, #name "(%a, %a): %a, %d; ours %a, %d",       \
          (double)(a), (double)(b), expected, errno, got, ouro_errno);                             \
  } while (0)

// A remainder of zero has the sign of the dividend; glibc forgets that for tiny divisors.
static void check_remainder(double x, double y) {
  double got = ouro_test_remainder(x, y);
  if (got == 0)
    CHECK(remainder(x, y) == 0 && !signbit(got) == !signbit(x), "remainder(%a, %a)", x, y);
  else
    TWO(remainder, x, y);
  float a = (float)x, b = (float)y;
  got = ouro_test_remainderf(a, b);
  if (got == 0)
    CHECK(remainderf(a, b) == 0 && !signbit(got) == !signbit(a), "remainderf(%a, %a)", x, y);
  else
    TWO(remainderf, a, b);
}

static void check_parts(double x) {
  int exponent, our_exponent;
  double expected = frexp(x, &exponent), got = ouro_test_frexp(x, &our_exponent);
  CHECK(same(expected, got) && exponent == our_exponent, "frexp(%a)", x);
  float single = (float)x, expected_single = frexpf(single, &exponent);
  float got_single = ouro_test_frexpf(single, &our_exponent);
  CHECK(same(expected_single, got_single) && exponent == our_exponent, "frexpf(%a)", x);
  double whole, our_whole;
  expected = modf(x, &whole);
  got = ouro_test_modf(x, &our_whole);
  CHECK(same(expected, got) && same(whole, our_whole), "modf(%a)", x);
  float single_whole, our_single_whole;
  expected_single = modff(single, &single_whole);
  got_single = ouro_test_modff(single, &our_single_whole);
  CHECK(same(expected_single, got_single) && same(single_whole, our_single_whole), "modff(%a)", x);
}

static void check_classes(double x) {
  float single = (float)x;
  long double extended = x == 0 ? x : x * 0x1p-16000L * 0x1p-300L;
  CHECK(!__isnan(x) == !ouro_test___isnan(x), "isnan(%a)", x);
  CHECK(!__isnanf(single) == !ouro_test___isnanf(single), "isnanf(%a)", x);
  CHECK(__isinf(x) == ouro_test___isinf(x), "isinf(%a)", x);
  CHECK(__isinfl(x) == ouro_test___isinfl(x), "isinfl(%a)", x);
  CHECK(!__finite(x) == !ouro_test___finite(x), "finite(%a)", x);
  CHECK(__fpclassify(x) == ouro_test___fpclassify(x), "fpclassify(%a)", x);
  CHECK(__fpclassifyf(single) == ouro_test___fpclassifyf(single), "fpclassifyf(%a)", x);
  CHECK(__fpclassifyl(extended) == ouro_test___fpclassifyl(extended), "fpclassifyl(%La)", extended);
  CHECK(!__signbit(x) == !ouro_test___signbit(x), "signbit(%a)", x);
  CHECK(!__signbitf(single) == !ouro_test___signbitf(single), "signbitf(%a)", x);
  CHECK(!__signbitl(extended) == !ouro_test___signbitl(extended), "signbitl(%a)", x);
}

static void check_integers(double x) {
  enum end how;
  volatile long long got = 0;
#define INTEGER(name)                                                                              \
  RUN(how, got = ouro_test_##name(x));                                                             \
  CHECK(how == LIMIT || got == name(x), #name "(%a)", x)
  INTEGER(lround);
  INTEGER(llround);
  INTEGER(lrint);
  INTEGER(llrintf);
  CHECK(how == FINISHED || !(fabs(x) < 0x1p31), "llrintf(%a) gave up", x);
}

void test_math(void) {
  for (int i = 0; i < 60000; i++) {
    double x = random_double(), y = random_double();
    float a = (float)x, b = (float)y;
    int exponent = i % 3 ? (int)below(2400) - 1200 : (int)random_bits() >> below(31);
    TWO(fmod, x, y);
    TWO(fmodf, a, b);
    check_remainder(x, y);
    TWO(ldexp, x, exponent);
    TWO(ldexpf, a, exponent / 8);
    TWO(scalbn, x, exponent);
    TWO(scalbln, x, exponent);
    TWO(copysign, x, y);
    TWO(copysignf, a, b);
    // Of zeros with different signs, either may be returned.
    if (x != y) {
      TWO(fmin, x, y);
      TWO(fmax, x, y);
    }
    if (a != b) {
      TWO(fminf, a, b);
      TWO(fmaxf, a, b);
    }
    TWO(fdim, x, y);
    TWO(nextafter, x, y);
    TWO(nextafterf, a, b);
    ONE(ilogb, x);
    ONE(ilogbf, a);
    ONE(logb, x);
    ONE(logbf, a);
    ONE(sqrt, x);
    ONE(sqrtf, a);
    ONE(fabs, x);
    ONE(fabsf, a);
    ONE(floor, x);
    ONE(ceilf, a);
    ONE(trunc, x);
    ONE(round, x);
    ONE(rint, x);
    ONE(nearbyintf, a);
    check_parts(x);
    check_classes(x);
    check_integers(x);
  }
}
