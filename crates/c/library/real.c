// Text to floating numbers: the `strtod` family.
//
// Exact or not at all: a decimal number whose digits and power of ten are both exact in the format
// needs one multiplication or division, which rounds correctly; so do numbers out of all range. On
// every other one the run is given up (a long number, or one with a large exponent).
#include "ouro.h"

#define OURO_LARGE 100000L

static int ouro_matches(const char *string, const char *lower_case_word) {
  for (size_t i = 0; lower_case_word[i] != 0; i++)
    if ((string[i] | 32) != lower_case_word[i])
      return 0;
  return 1;
}

static int ouro_digit(char character, int base) {
  unsigned value = (unsigned)(unsigned char)character - '0';
  if (value < 10)
    return (int)value;
  value = ((unsigned)(unsigned char)character | 32) - 'a';
  return base == 16 && value < 6 ? (int)value + 10 : -1;
}

// `nan` may be followed by letters in parentheses.
static size_t ouro_nan_length(const char *string) {
  size_t i = 3;
  if (string[i] != '(')
    return 3;
  i++;
  for (;;) {
    unsigned character = (unsigned char)string[i];
    if ((character | 32) - 'a' >= 26u && character - '0' >= 10u && character != '_')
      return character == ')' ? i + 1 : 3;
    i++;
  }
}

// The exponent after `e` or `p`, if there are digits; beyond OURO_LARGE all are alike.
static size_t ouro_read_exponent(const char *string, long *exponent) {
  size_t i = 1;
  int negative = string[i] == '-';
  if (string[i] == '-' || string[i] == '+')
    i++;
  if (ouro_digit(string[i], 10) < 0)
    return 0;
  long value = 0;
  for (; ouro_digit(string[i], 10) >= 0; i++)
    if (value < OURO_LARGE)
      value = 10 * value + ouro_digit(string[i], 10);
  *exponent += negative ? -value : value;
  return i;
}

struct ouro_real ouro_read_real(const char *string) {
  struct ouro_real real = {OURO_NO_REAL, 0, 0, 0, 0, 0};
  size_t i = 0;
  while (ouro_is_space((unsigned char)string[i]))
    i++;
  if (string[i] == '-' || string[i] == '+') {
    real.negative = string[i] == '-';
    i++;
  }
  if (ouro_matches(string + i, "inf")) {
    real.kind = OURO_INFINITY;
    real.length = i + (ouro_matches(string + i, "infinity") ? 8 : 3);
    return real;
  }
  if (ouro_matches(string + i, "nan")) {
    real.kind = OURO_NAN;
    real.length = i + ouro_nan_length(string + i);
    return real;
  }
  int base = 10;
  if (string[i] == '0' && (string[i + 1] | 32) == 'x' &&
      ouro_digit(string[i + 2] == '.' ? string[i + 3] : string[i + 2], 16) >= 0) {
    base = 16;
    i += 2;
  }
  unsigned long long most = (ULLONG_MAX - (unsigned)base) / (unsigned)base;
  int any = 0;
  int after_point = 0;
  for (;; i++) {
    if (string[i] == '.' && !after_point) {
      after_point = 1;
      continue;
    }
    int digit = ouro_digit(string[i], base);
    if (digit < 0)
      break;
    any = 1;
    if (real.digits <= most) {
      real.digits = real.digits * (unsigned)base + (unsigned)digit;
      real.exponent -= after_point;
    } else {
      real.longer |= digit != 0;
      real.exponent += !after_point;
    }
  }
  if (!any)
    return real;
  if (base == 16)
    real.exponent *= 4;
  real.kind = base == 16 ? OURO_HEXADECIMAL : OURO_DECIMAL;
  if ((string[i] | 32) == (base == 16 ? 'p' : 'e'))
    i += ouro_read_exponent(string + i, &real.exponent);
  // A point without digits after it belongs to the number if there are digits before it.
  real.length = i;
  return real;
}

// The binary formats: digits and powers of ten that are exact, and decimal exponents of the leading
// digit beyond which every number is infinite or zero.
struct ouro_format {
  unsigned long long most_digits;
  long most_tens;
  long infinite;
  long zero;
  long least_exponent; // of two, of the least normal number
  long most_exponent;  // of two, of the numbers that are too large
};

static const struct ouro_format ouro_double = {1ull << 53, 22, 310, -326, -1022, 1024};
static const struct ouro_format ouro_long_double = {ULLONG_MAX, 27, 4934, -4953, -16382, 16384};

// Brings the exponent nearer to zero where the digits allow it.
static void ouro_shift(struct ouro_real *real, const struct ouro_format *format) {
  while (real->exponent < 0 && real->digits % 10 == 0) {
    real->digits /= 10;
    real->exponent++;
  }
  while (real->exponent > format->most_tens && real->digits <= format->most_digits / 10) {
    real->digits *= 10;
    real->exponent--;
  }
}

static int ouro_decimal_length(unsigned long long digits) {
  int length = 0;
  for (; digits != 0; digits /= 10)
    length++;
  return length;
}

static int ouro_binary_length(unsigned long long digits) {
  return digits == 0 ? 0 : 64 - __builtin_clzll(digits);
}

// All the types but the last compute in long double, where two to the power of the exponent and its
// product with the digits are exact.
static long double ouro_scale_by_two(long double value, long exponent) {
  long double factor = exponent < 0 ? 0.5L : 2.0L;
  for (long i = exponent < 0 ? -exponent : exponent; i > 0; i /= 2) {
    if (i % 2 == 1)
      value *= factor;
    factor *= factor;
  }
  return value;
}

static long double ouro_hexadecimal(struct ouro_real real, const struct ouro_format *format) {
  while (real.digits % 2 == 0) {
    real.digits /= 2;
    real.exponent++;
  }
  long top = real.exponent + ouro_binary_length(real.digits);
  if (real.longer || real.digits > format->most_digits || top > format->most_exponent ||
      top <= format->least_exponent)
    __ouro_limit("a hexadecimal number that has to be rounded");
  return ouro_scale_by_two((long double)real.digits, real.exponent);
}

// What all formats have in common. Returns whether `*value` is the magnitude; otherwise the number
// is `digits` times ten to the power `exponent`, both exact in the format.
static int ouro_settle(struct ouro_real *real, const struct ouro_format *format,
                       long double *value) {
  if (real->kind == OURO_INFINITY)
    *value = __builtin_infl();
  else if (real->kind == OURO_NAN)
    *value = __builtin_nanl("");
  else if (real->digits == 0)
    *value = 0;
  else if (real->kind == OURO_HEXADECIMAL)
    *value = ouro_hexadecimal(*real, format);
  else {
    long leading = real->exponent + ouro_decimal_length(real->digits);
    if (leading > format->infinite || leading < format->zero) {
      ouro_errno = OURO_ERANGE;
      *value = leading > 0 ? __builtin_infl() : 0;
      return 1;
    }
    ouro_shift(real, format);
    if (real->longer || real->digits > format->most_digits ||
        real->exponent > format->most_tens || real->exponent < -format->most_tens)
      __ouro_limit("a decimal number that is hard to round");
    return 0;
  }
  return 1;
}

long double ouro_as_long_double(struct ouro_real real) {
  long double value;
  if (!ouro_settle(&real, &ouro_long_double, &value)) {
    long double power = 1;
    for (long i = 0; i < real.exponent || i < -real.exponent; i++)
      power *= 10;
    value = (long double)real.digits;
    value = real.exponent < 0 ? value / power : value * power;
  }
  return real.negative ? -value : value;
}

double ouro_as_double(struct ouro_real real) {
  long double settled;
  double value;
  if (ouro_settle(&real, &ouro_double, &settled)) {
    value = (double)settled;
  } else {
    double power = 1;
    for (long i = 0; i < real.exponent || i < -real.exponent; i++)
      power *= 10;
    value = (double)real.digits;
    value = real.exponent < 0 ? value / power : value * power;
  }
  return real.negative ? -value : value;
}

// Rounding twice is wrong only if the first rounding ends in the middle of two floats, and then
// only if it was one. All doubles of this path are within the normal range of float.
float ouro_as_float(struct ouro_real real) {
  if (real.kind == OURO_HEXADECIMAL && real.digits != 0)
    __ouro_limit("a hexadecimal number for a float");
  double value = ouro_as_double(real);
  union {
    double number;
    uint64_t bits;
  } view = {value};
  if (real.exponent != 0 && (view.bits & 0x1fffffff) == 0x10000000)
    __ouro_limit("a decimal number that is hard to round");
  // Powers of ten reach beyond a float at both ends.
  double magnitude = value < 0 ? -value : value;
  if (real.kind == OURO_DECIMAL && magnitude != 0 && !(magnitude > 1e-37 && magnitude < 1e38) &&
      magnitude != __builtin_inf())
    __ouro_limit("a number at the end of the range of float");
  return (float)value;
}

// audit: strtod: fails yes; short no; interrupted no; stores the end, errno; calls back no
double strtod(const char *restrict string, char **restrict end) {
  struct ouro_real real = ouro_read_real(string);
  if (end != 0)
    *end = (char *)string + real.length;
  return real.kind == OURO_NO_REAL ? 0.0 : ouro_as_double(real);
}

// audit: strtof: fails yes; short no; interrupted no; stores the end, errno; calls back no
float strtof(const char *restrict string, char **restrict end) {
  struct ouro_real real = ouro_read_real(string);
  if (end != 0)
    *end = (char *)string + real.length;
  return real.kind == OURO_NO_REAL ? 0.0f : ouro_as_float(real);
}

// audit: strtold: fails yes; short no; interrupted no; stores the end, errno; calls back no
long double strtold(const char *restrict string, char **restrict end) {
  struct ouro_real real = ouro_read_real(string);
  if (end != 0)
    *end = (char *)string + real.length;
  return real.kind == OURO_NO_REAL ? 0.0L : ouro_as_long_double(real);
}

// audit: atof: fails no; short no; interrupted no; stores errno; calls back no
double atof(const char *string) {
  struct ouro_real real = ouro_read_real(string);
  return real.kind == OURO_NO_REAL ? 0.0 : ouro_as_double(real);
}
