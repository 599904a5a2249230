// <math.h>, the part that is exact: rounding, remainders, taking numbers apart. What has to be
// approximated (`pow`, `sin`, `log`, …) is not here: a number that we do not know is not a choice of
// the environment.
//
// Rounding is to nearest, ties to even, throughout.
#include "ouro.h"

// The builtins become LLVM's intrinsics, never calls.
#define OURO_ROUND(type, name)                                                                     \
  type name(type x) {                                                                              \
    return __builtin_##name(x);                                                                    \
  }

// audit: fabs, fabsf, fabsl, floor, floorf, floorl, ceil, ceilf, ceill, trunc, truncf, truncl, round, roundf, roundl, rint, rintf, rintl, nearbyint, nearbyintf, nearbyintl: fails no; short no; interrupted no; stores no; calls back no
OURO_ROUND(double, fabs)
OURO_ROUND(float, fabsf)
OURO_ROUND(long double, fabsl)
OURO_ROUND(double, floor)
OURO_ROUND(float, floorf)
OURO_ROUND(long double, floorl)
OURO_ROUND(double, ceil)
OURO_ROUND(float, ceilf)
OURO_ROUND(long double, ceill)
OURO_ROUND(double, trunc)
OURO_ROUND(float, truncf)
OURO_ROUND(long double, truncl)
OURO_ROUND(double, round)
OURO_ROUND(float, roundf)
OURO_ROUND(long double, roundl)
OURO_ROUND(double, rint)
OURO_ROUND(float, rintf)
OURO_ROUND(long double, rintl)
OURO_ROUND(double, nearbyint)
OURO_ROUND(float, nearbyintf)
OURO_ROUND(long double, nearbyintl)

// audit: fegetround: fails no; short no; interrupted no; stores no; calls back no
// The default rounding mode is the only one that floats are computed with.
static int ouro_rounding;

int fegetround(void) {
  if (ouro_rounding != 0)
    __ouro_limit("another rounding mode");
  return 0;
}

// audit: fesetround: fails yes; short no; interrupted no; stores no; calls back no
int fesetround(int mode) {
  if (mode != 0)
    __ouro_limit("another rounding mode");
  ouro_rounding = mode;
  return 0;
}

// Sets `errno` to EDOM if `outside` is 1, without a branch.
static void ouro_domain(int outside) {
  ouro_fail_if(outside, OURO_EDOM);
}

// `__builtin_sqrt` would become a call to `sqrt` that sets `errno`.
#ifdef __clang__
#define OURO_ROOT(x, suffix) __builtin_elementwise_sqrt(x)
#else
#define OURO_ROOT(x, suffix) __builtin_sqrt##suffix(x)
#endif

// audit: sqrt: fails yes; short no; interrupted no; stores errno; calls back no
double sqrt(double x) {
  ouro_domain(x < 0);
  return OURO_ROOT(x, );
}

// audit: sqrtf: fails yes; short no; interrupted no; stores errno; calls back no
float sqrtf(float x) {
  ouro_domain(x < 0);
  return OURO_ROOT(x, f);
}

// audit: sqrtl: fails yes; short no; interrupted no; stores errno; calls back no
long double sqrtl(long double x) {
  ouro_domain(x < 0);
  return OURO_ROOT(x, l);
}

union ouro_double {
  double number;
  uint64_t bits;
};

union ouro_float {
  float number;
  uint32_t bits;
};

static uint64_t ouro_bits(double x) {
  return (union ouro_double){x}.bits;
}

static double ouro_number(uint64_t bits) {
  union ouro_double view;
  view.bits = bits;
  return view.number;
}

#define OURO_SIGN 0x8000000000000000u
#define OURO_INFINITE 0x7ff0000000000000u
#define OURO_FRACTION 0x000fffffffffffffu

static double ouro_with_sign(double magnitude, double sign) {
  return ouro_number((ouro_bits(magnitude) & ~OURO_SIGN) | (ouro_bits(sign) & OURO_SIGN));
}

// audit: copysign: fails no; short no; interrupted no; stores no; calls back no
double copysign(double magnitude, double sign) {
  return ouro_with_sign(magnitude, sign);
}

// audit: copysignf: fails no; short no; interrupted no; stores no; calls back no
float copysignf(float magnitude, float sign) {
  union ouro_float a = {magnitude};
  union ouro_float b = {sign};
  a.bits = (a.bits & 0x7fffffffu) | (b.bits & 0x80000000u);
  return a.number;
}

// Of a NaN and a number, the number is the answer. Of two zeros it may be either.
#define OURO_EITHER_ZERO(x, y)                                                                     \
  ((x) == 0 && (y) == 0 && __ouro_unknown_bool("which of two zeros is the least or greatest"))
#define OURO_EXTREMES(type, least, greatest, difference)                                           \
  type least(type x, type y) {                                                                     \
    return y != y || x < y || OURO_EITHER_ZERO(x, y) ? x : y;                                      \
  }                                                                                                \
  type greatest(type x, type y) {                                                                  \
    return y != y || x > y || OURO_EITHER_ZERO(x, y) ? x : y;                                      \
  }                                                                                                \
  type difference(type x, type y) {                                                                \
    type result = x <= y ? 0 : x - y;                                                              \
    if (result - result != 0 && x - x == 0 && y - y == 0)                                          \
      ouro_errno = OURO_ERANGE;                                                                    \
    return result;                                                                                 \
  }

// audit: fmin, fmax, fdim, fminf, fmaxf, fdimf, fminl, fmaxl, fdiml: fails yes; short no; interrupted no; stores errno; calls back no
OURO_EXTREMES(double, fmin, fmax, fdim)
OURO_EXTREMES(float, fminf, fmaxf, fdimf)
OURO_EXTREMES(long double, fminl, fmaxl, fdiml)

// audit: nan: fails no; short no; interrupted no; stores no; calls back no
double nan(const char *text) {
  if (*text != 0)
    __ouro_limit("a NaN with a payload");
  return __builtin_nan("");
}

// audit: nanf: fails no; short no; interrupted no; stores no; calls back no
float nanf(const char *text) {
  if (*text != 0)
    __ouro_limit("a NaN with a payload");
  return __builtin_nanf("");
}

// `fmod`. With -fno-math-errno, clang makes one instruction of the builtin; otherwise it makes a
// call to this very function, and the remainder is found bit by bit.
#ifdef __NO_MATH_ERRNO__
static double ouro_remainder(double x, double y) {
  return __builtin_fmod(x, y);
}
#else
// The significand as an integer, the leading bit set, and the exponent that goes with it.
static uint64_t ouro_normalise(uint64_t magnitude, int *exponent) {
  uint64_t fraction = magnitude & OURO_FRACTION;
  *exponent = (int)(magnitude >> 52);
  if (*exponent == 0) {
    int shift = __builtin_clzll(fraction) - 11;
    *exponent = 1 - shift;
    return fraction << shift;
  }
  return fraction | (OURO_FRACTION + 1);
}

static double ouro_remainder(double x, double y) {
  uint64_t a = ouro_bits(x) & ~OURO_SIGN;
  uint64_t b = ouro_bits(y) & ~OURO_SIGN;
  if (b == 0 || a >= OURO_INFINITE || b > OURO_INFINITE)
    return (x * y) / (x * y);
  if (a < b)
    return x;
  int exponent;
  int least;
  a = ouro_normalise(a, &exponent);
  b = ouro_normalise(b, &least);
  for (; exponent > least; exponent--)
    a = (a >= b ? a - b : a) << 1;
  if (a >= b)
    a -= b;
  if (a == 0)
    return ouro_with_sign(0, x);
  int shift = __builtin_clzll(a) - 11;
  a <<= shift;
  exponent -= shift;
  if (exponent > 0)
    a = (a & OURO_FRACTION) | (uint64_t)exponent << 52;
  else
    a >>= 1 - exponent;
  return ouro_with_sign(ouro_number(a), x);
}
#endif

static double ouro_fmod(double x, double y) {
  ouro_domain((y == 0) & (x == x));
  ouro_domain((x - x != 0) & (x == x) & (y == y));
  return ouro_remainder(x, y);
}

// audit: fmod: fails yes; short no; interrupted no; stores errno; calls back no
double fmod(double x, double y) {
  return ouro_fmod(x, y);
}

// audit: fmodf: fails yes; short no; interrupted no; stores errno; calls back no
// The remainder of two floats is a float, so a double holds it exactly.
float fmodf(float x, float y) {
  return (float)ouro_fmod(x, y);
}

#ifdef __NO_MATH_ERRNO__
// audit: fmodl: fails yes; short no; interrupted no; stores errno; calls back no
long double fmodl(long double x, long double y) {
  ouro_domain((y == 0) & (x == x));
  ouro_domain((x - x != 0) & (x == x) & (y == y));
  return __builtin_fmodl(x, y);
}
#endif

// The remainder nearest to zero, at a tie the one of an even quotient.
static double ouro_nearest_remainder(double x, double y) {
  if (y == 0 || x - x != 0 || y != y) {
    ouro_domain((x == x) & (y == y));
    return (x * y) / (x * y);
  }
  double divisor = ouro_with_sign(y, 1);
  double rest = ouro_with_sign(x, 1);
  // Modulo twice the divisor, the quotient is even up to the divisor and odd from there.
  if (divisor <= 0x1p1022)
    rest = ouro_remainder(rest, divisor + divisor);
  // Both sides are exact: the halves of a small number might not be, its double is.
  int small = divisor < 0x1p-1000;
  double half = small ? divisor : divisor / 2;
  double scale = small ? 2 : 1;
  if (rest * scale > half) {
    rest -= divisor;
    if (rest * scale >= half)
      rest -= divisor;
  }
  if (rest == 0)
    rest = 0;
  return ouro_bits(x) & OURO_SIGN ? -rest : rest;
}

// audit: remainder: fails yes; short no; interrupted no; stores errno; calls back no
double remainder(double x, double y) {
  return ouro_nearest_remainder(x, y);
}

// audit: drem: fails yes; short no; interrupted no; stores errno; calls back no
double drem(double x, double y) {
  return ouro_nearest_remainder(x, y);
}

// audit: remainderf: fails yes; short no; interrupted no; stores errno; calls back no
float remainderf(float x, float y) {
  return (float)ouro_nearest_remainder(x, y);
}

static double ouro_fraction(double x, double *whole) {
  *whole = __builtin_trunc(x);
  double fraction = x - *whole;
  // An infinite number has no fraction.
  if (*whole - *whole != 0 && x == x)
    fraction = 0;
  return ouro_with_sign(fraction, x);
}

// audit: modf: fails no; short no; interrupted no; stores the whole part; calls back no
double modf(double x, double *whole) {
  return ouro_fraction(x, whole);
}

// audit: modff: fails no; short no; interrupted no; stores the whole part; calls back no
float modff(float x, float *whole) {
  double wide;
  float fraction = (float)ouro_fraction(x, &wide);
  *whole = (float)wide;
  return fraction;
}

static double ouro_split(double x, int *exponent) {
  uint64_t magnitude = ouro_bits(x) & ~OURO_SIGN;
  *exponent = 0;
  if (magnitude == 0 || magnitude >= OURO_INFINITE)
    return x;
  // A subnormal number becomes a normal one first.
  int shift = 0;
  if (magnitude < OURO_FRACTION + 1) {
    shift = 54;
    magnitude = ouro_bits(ouro_number(magnitude) * 0x1p54);
  }
  *exponent = (int)(magnitude >> 52) - 1022 - shift;
  return ouro_with_sign(ouro_number((magnitude & OURO_FRACTION) | 0x3fe0000000000000u), x);
}

// audit: frexp: fails no; short no; interrupted no; stores the exponent; calls back no
double frexp(double x, int *exponent) {
  return ouro_split(x, exponent);
}

// audit: frexpf: fails no; short no; interrupted no; stores the exponent; calls back no
float frexpf(float x, int *exponent) {
  return (float)ouro_split(x, exponent);
}

// Two to a power within the normal range.
static double ouro_power_of_two(int exponent) {
  return ouro_number((uint64_t)(exponent + 1023) << 52);
}

// Only the last multiplication may round: the steps downwards stop while 53 bits are to spare.
static double ouro_scale(double x, int exponent) {
  double result = x;
  for (int i = 0; i < 2 && exponent > 1023; i++) {
    result *= 0x1p1023;
    exponent -= 1023;
  }
  for (int i = 0; i < 2 && exponent < -1022; i++) {
    result *= 0x1p-969;
    exponent += 969;
  }
  exponent = exponent > 1023 ? 1023 : exponent < -1022 ? -1022 : exponent;
  return result * ouro_power_of_two(exponent);
}

// Too large or too small to be told from infinity or zero: an error of range.
static double ouro_scale_checked(double x, int exponent) {
  double result = ouro_scale(x, exponent);
  if (x - x == 0 && x != 0 && (result == 0 || result - result != 0))
    ouro_errno = OURO_ERANGE;
  return result;
}

static int ouro_clamp(long exponent) {
  return exponent > 5000 ? 5000 : exponent < -5000 ? -5000 : (int)exponent;
}

// audit: ldexp: fails yes; short no; interrupted no; stores errno; calls back no
double ldexp(double x, int exponent) {
  return ouro_scale_checked(x, ouro_clamp(exponent));
}

// audit: scalbn: fails yes; short no; interrupted no; stores errno; calls back no
double scalbn(double x, int exponent) {
  return ouro_scale_checked(x, ouro_clamp(exponent));
}

// audit: scalbln: fails yes; short no; interrupted no; stores errno; calls back no
double scalbln(double x, long exponent) {
  return ouro_scale_checked(x, ouro_clamp(exponent));
}

// As a double the result is exact unless it is far beyond a float: one rounding, to float.
static float ouro_scale_float(float x, long exponent) {
  float result = (float)ouro_scale(x, ouro_clamp(exponent));
  if (x - x == 0 && x != 0 && (result == 0 || result - result != 0))
    ouro_errno = OURO_ERANGE;
  return result;
}

// audit: ldexpf: fails yes; short no; interrupted no; stores errno; calls back no
float ldexpf(float x, int exponent) {
  return ouro_scale_float(x, exponent);
}

// audit: scalbnf: fails yes; short no; interrupted no; stores errno; calls back no
float scalbnf(float x, int exponent) {
  return ouro_scale_float(x, exponent);
}

// audit: scalblnf: fails yes; short no; interrupted no; stores errno; calls back no
float scalblnf(float x, long exponent) {
  return ouro_scale_float(x, exponent);
}
