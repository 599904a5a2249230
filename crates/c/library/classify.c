// The rest of the exact part of <math.h>: classes of numbers, exponents, neighbours, conversion to
// integers.
#include "ouro.h"

#define OURO_PREDICATE(type, name, answer)                                                         \
  int name(type x) {                                                                               \
    return answer;                                                                                 \
  }
#define OURO_IS_NAN (x != x)
#define OURO_IS_INFINITE ((x == __builtin_inf()) - (x == -__builtin_inf()))
#define OURO_IS_FINITE (x - x == 0)

// audit: isnan, __isnan, isnanf, __isnanf, isnanl, __isnanl, isinf, __isinf, isinff, __isinff, isinfl, __isinfl, finite, __finite, finitef, __finitef, finitel, __finitel: fails no; short no; interrupted no; stores no; calls back no
OURO_PREDICATE(double, isnan, OURO_IS_NAN)
OURO_PREDICATE(double, __isnan, OURO_IS_NAN)
OURO_PREDICATE(float, isnanf, OURO_IS_NAN)
OURO_PREDICATE(float, __isnanf, OURO_IS_NAN)
OURO_PREDICATE(long double, isnanl, OURO_IS_NAN)
OURO_PREDICATE(long double, __isnanl, OURO_IS_NAN)
OURO_PREDICATE(double, isinf, OURO_IS_INFINITE)
OURO_PREDICATE(double, __isinf, OURO_IS_INFINITE)
OURO_PREDICATE(float, isinff, OURO_IS_INFINITE)
OURO_PREDICATE(float, __isinff, OURO_IS_INFINITE)
OURO_PREDICATE(long double, isinfl, OURO_IS_INFINITE)
OURO_PREDICATE(long double, __isinfl, OURO_IS_INFINITE)
OURO_PREDICATE(double, finite, OURO_IS_FINITE)
OURO_PREDICATE(double, __finite, OURO_IS_FINITE)
OURO_PREDICATE(float, finitef, OURO_IS_FINITE)
OURO_PREDICATE(float, __finitef, OURO_IS_FINITE)
OURO_PREDICATE(long double, finitel, OURO_IS_FINITE)
OURO_PREDICATE(long double, __finitel, OURO_IS_FINITE)

// glibc's numbers for the classes: NaN 0, infinite 1, zero 2, subnormal 3, normal 4.
#define OURO_CLASSIFY(type, name, least_normal)                                                    \
  int name(type x) {                                                                               \
    if (x != x)                                                                                    \
      return 0;                                                                                    \
    if (x - x != 0)                                                                                \
      return 1;                                                                                    \
    if (x == 0)                                                                                    \
      return 2;                                                                                    \
    return -least_normal < x && x < least_normal ? 3 : 4;                                          \
  }

// audit: __fpclassify, __fpclassifyf, __fpclassifyl: fails no; short no; interrupted no; stores no; calls back no
OURO_CLASSIFY(double, __fpclassify, 0x1p-1022)
OURO_CLASSIFY(float, __fpclassifyf, 0x1p-126f)
OURO_CLASSIFY(long double, __fpclassifyl, 0x1p-16382L)

union ouro_double {
  double number;
  uint64_t bits;
};

union ouro_float {
  float number;
  uint32_t bits;
};

union ouro_long_double {
  long double number;
  struct {
    uint64_t significand;
    uint16_t sign_and_exponent;
  } parts;
};

// audit: __signbit: fails no; short no; interrupted no; stores no; calls back no
int __signbit(double x) {
  return (int)((union ouro_double){x}.bits >> 63);
}

// audit: __signbitf: fails no; short no; interrupted no; stores no; calls back no
int __signbitf(float x) {
  return (int)((union ouro_float){x}.bits >> 31);
}

// audit: __signbitl: fails no; short no; interrupted no; stores no; calls back no
int __signbitl(long double x) {
  return (union ouro_long_double){x}.parts.sign_and_exponent >> 15;
}

// The exponent of a finite number that is not zero.
static int ouro_exponent(double x) {
  uint64_t bits = (union ouro_double){x}.bits & 0x7fffffffffffffffu;
  int exponent = (int)(bits >> 52);
  return exponent != 0 ? exponent - 1023 : -1011 - __builtin_clzll(bits);
}

// audit: ilogb: fails yes; short no; interrupted no; stores errno; calls back no
int ilogb(double x) {
  if (x == 0 || x - x != 0) {
    ouro_errno = OURO_EDOM;
    return x == 0 || x != x ? INT_MIN : INT_MAX;
  }
  return ouro_exponent(x);
}

// audit: ilogbf: fails yes; short no; interrupted no; stores errno; calls back no
int ilogbf(float x) {
  if (x == 0 || x - x != 0) {
    ouro_errno = OURO_EDOM;
    return x == 0 || x != x ? INT_MIN : INT_MAX;
  }
  return ouro_exponent(x);
}

static double ouro_logb(double x) {
  if (x == 0)
    return -__builtin_inf();
  return x - x != 0 ? x * x : ouro_exponent(x);
}

// audit: logb: fails no; short no; interrupted no; stores no; calls back no
double logb(double x) {
  return ouro_logb(x);
}

// audit: logbf: fails no; short no; interrupted no; stores no; calls back no
float logbf(float x) {
  return (float)ouro_logb(x);
}

// audit: nextafter: fails yes; short no; interrupted no; stores errno; calls back no
// The next number towards `y`: one step of the bits, which are ordered as magnitudes are.
double nextafter(double x, double y) {
  if (x != x || y != y)
    return x + y;
  if (x == y)
    return y;
  union ouro_double view = {x};
  if (x == 0) {
    view.bits = 1;
    return y < 0 ? -view.number : view.number;
  }
  view.bits += (x < y) == (x > 0) ? 1 : (uint64_t)-1;
  double magnitude = view.number < 0 ? -view.number : view.number;
  if (magnitude < 0x1p-1022 || magnitude - magnitude != 0)
    ouro_errno = OURO_ERANGE;
  return view.number;
}

// audit: nextafterf: fails yes; short no; interrupted no; stores errno; calls back no
float nextafterf(float x, float y) {
  if (x != x || y != y)
    return x + y;
  if (x == y)
    return y;
  union ouro_float view = {x};
  if (x == 0) {
    view.bits = 1;
    return y < 0 ? -view.number : view.number;
  }
  view.bits += (x < y) == (x > 0) ? 1 : (uint32_t)-1;
  float magnitude = view.number < 0 ? -view.number : view.number;
  if (magnitude < 0x1p-126f || magnitude - magnitude != 0)
    ouro_errno = OURO_ERANGE;
  return view.number;
}

// A whole number as an integer of so many bits. C leaves open what an integer that does not fit
// becomes.
static long long ouro_to_integer(double whole, size_t bytes) {
  double least = bytes == 4 ? -0x1p31 : -0x1p63;
  if (!(whole >= least && whole < -least))
    __ouro_limit("a floating number rounded to an integer that cannot hold it");
  return (long long)whole;
}

// audit: lround: fails no; short no; interrupted no; stores no; calls back no
long lround(double x) {
  return (long)ouro_to_integer(__builtin_round(x), sizeof(long));
}

// audit: lroundf: fails no; short no; interrupted no; stores no; calls back no
long lroundf(float x) {
  return (long)ouro_to_integer(__builtin_round(x), sizeof(long));
}

// audit: llround: fails no; short no; interrupted no; stores no; calls back no
long long llround(double x) {
  return ouro_to_integer(__builtin_round(x), sizeof(long long));
}

// audit: llroundf: fails no; short no; interrupted no; stores no; calls back no
long long llroundf(float x) {
  return ouro_to_integer(__builtin_round(x), sizeof(long long));
}

// audit: lrint: fails no; short no; interrupted no; stores no; calls back no
long lrint(double x) {
  return (long)ouro_to_integer(__builtin_rint(x), sizeof(long));
}

// audit: lrintf: fails no; short no; interrupted no; stores no; calls back no
long lrintf(float x) {
  return (long)ouro_to_integer(__builtin_rint(x), sizeof(long));
}

// audit: llrint: fails no; short no; interrupted no; stores no; calls back no
long long llrint(double x) {
  return ouro_to_integer(__builtin_rint(x), sizeof(long long));
}

// audit: llrintf: fails no; short no; interrupted no; stores no; calls back no
long long llrintf(float x) {
  return ouro_to_integer(__builtin_rint(x), sizeof(long long));
}
