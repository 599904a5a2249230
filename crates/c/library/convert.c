// Text to integers: the `strtol` family of <stdlib.h> and <inttypes.h>, exactly as in the C locale.
#include "ouro.h"

// Digits of any base that cannot exceed an unsigned long long: 36^12 < 2^64.
#define OURO_SAFE_DIGITS 12

static int ouro_is_hex_digit(char character) {
  unsigned char c = (unsigned char)character;
  return (unsigned)c - '0' < 10u || (c | 32u) - 'a' < 6u;
}

struct ouro_number ouro_read_number(const char *string, int base, size_t width) {
  struct ouro_number number = {0, 0, 0, 0};
  size_t i = 0;
  while (i < width && ouro_is_space((unsigned char)string[i]))
    i++;
  if (i < width && (string[i] == '-' || string[i] == '+')) {
    number.negative = string[i] == '-';
    i++;
  }
  // `0x` without a hexadecimal digit after it is the number 0 and an `x`.
  if ((base == 0 || base == 16) && width - i >= 3 && string[i] == '0' &&
      (string[i + 1] | 32) == 'x' && ouro_is_hex_digit(string[i + 2])) {
    base = 16;
    i += 2;
  }
  if (base == 0)
    base = i < width && string[i] == '0' ? 8 : 10;
  size_t start = i;
  for (; i < width; i++) {
    unsigned character = (unsigned char)string[i];
    unsigned digit = character - '0';
    if (digit >= 10) {
      if (base <= 10)
        break;
      digit = (character | 32) - 'a';
      if (digit >= 26)
        break;
      digit += 10;
    }
    if (digit >= (unsigned)base)
      break;
    if (i - start >= OURO_SAFE_DIGITS &&
        (number.magnitude > ULLONG_MAX / (unsigned)base ||
         number.magnitude * (unsigned)base > ULLONG_MAX - digit))
      number.too_large = 1;
    number.magnitude = number.magnitude * (unsigned)base + digit;
  }
  if (number.too_large)
    number.magnitude = ULLONG_MAX;
  if (i > start)
    number.length = i;
  return number;
}

long long ouro_as_signed(struct ouro_number number, size_t bits) {
  unsigned long long least = 1ull << (bits - 1);
  if (number.negative) {
    if (number.magnitude > least) {
      ouro_errno = OURO_ERANGE;
      return -(long long)(least - 1) - 1;
    }
    return (long long)(0 - number.magnitude);
  }
  if (number.magnitude >= least) {
    ouro_errno = OURO_ERANGE;
    return (long long)(least - 1);
  }
  return (long long)number.magnitude;
}

unsigned long long ouro_as_unsigned(struct ouro_number number, size_t bits) {
  unsigned long long greatest = ULLONG_MAX >> (64 - bits);
  if (number.too_large || number.magnitude > greatest) {
    ouro_errno = OURO_ERANGE;
    return greatest;
  }
  return number.negative ? (0 - number.magnitude) & greatest : number.magnitude;
}

// POSIX allows EINVAL where there is no number; glibc leaves `errno` alone.
static void ouro_no_number(void) {
  int says_so = __ouro_choice_bool("whether strtol without a number sets errno");
  ouro_tolerate(says_so);
  ouro_fail_if(says_so, OURO_EINVAL);
}

// What `strtol` does around the number; with a base that does not exist, `*end` stays as it is.
static int ouro_convert(struct ouro_number *number, const char *string, char **end, int base) {
  if (base < 0 || base == 1 || base > 36) {
    ouro_errno = OURO_EINVAL;
    return 0;
  }
  *number = ouro_read_number(string, base, SIZE_MAX);
  if (end != 0)
    *end = (char *)string + number->length;
  if (number->length == 0)
    ouro_no_number();
  return 1;
}

static long long ouro_to_signed(const char *string, char **end, int base, size_t bytes) {
  struct ouro_number number;
  return ouro_convert(&number, string, end, base) ? ouro_as_signed(number, 8 * bytes) : 0;
}

static unsigned long long ouro_to_unsigned(const char *string, char **end, int base, size_t bytes) {
  struct ouro_number number;
  return ouro_convert(&number, string, end, base) ? ouro_as_unsigned(number, 8 * bytes) : 0;
}

#define OURO_SIGNED(type, name)                                                                    \
  type name(const char *restrict string, char **restrict end, int base) {                          \
    return (type)ouro_to_signed(string, end, base, sizeof(type));                                  \
  }
#define OURO_UNSIGNED(type, name)                                                                  \
  type name(const char *restrict string, char **restrict end, int base) {                          \
    return (type)ouro_to_unsigned(string, end, base, sizeof(type));                                \
  }

// audit: strtol, strtoll, strtoq, strtoimax, strtoul, strtoull, strtouq, strtoumax: fails yes; short no; interrupted no; stores the end, errno; calls back no
OURO_SIGNED(long, strtol)
OURO_SIGNED(long long, strtoll)
OURO_SIGNED(long long, strtoq)
OURO_SIGNED(intmax_t, strtoimax)
OURO_UNSIGNED(unsigned long, strtoul)
OURO_UNSIGNED(unsigned long long, strtoull)
OURO_UNSIGNED(unsigned long long, strtouq)
OURO_UNSIGNED(uintmax_t, strtoumax)

// C23 also reads `0b101`, and glibc gives those functions names of their own.
static const char *ouro_without_binary(const char *string, int base) {
  size_t i = 0;
  while (ouro_is_space((unsigned char)string[i]))
    i++;
  if (string[i] == '-' || string[i] == '+')
    i++;
  if ((base == 0 || base == 2) && string[i] == '0' && (string[i + 1] | 32) == 'b')
    __ouro_limit("a binary number in a string");
  return string;
}

#define OURO_SIGNED_C23(type, name)                                                                \
  type name(const char *restrict string, char **restrict end, int base) {                          \
    return (type)ouro_to_signed(ouro_without_binary(string, base), end, base, sizeof(type));       \
  }
#define OURO_UNSIGNED_C23(type, name)                                                              \
  type name(const char *restrict string, char **restrict end, int base) {                          \
    return (type)ouro_to_unsigned(ouro_without_binary(string, base), end, base, sizeof(type));     \
  }

// audit: __isoc23_strtol, __isoc23_strtoll, __isoc23_strtoimax, __isoc23_strtoul, __isoc23_strtoull, __isoc23_strtoumax: fails yes; short no; interrupted no; stores the end, errno; calls back no
OURO_SIGNED_C23(long, __isoc23_strtol)
OURO_SIGNED_C23(long long, __isoc23_strtoll)
OURO_SIGNED_C23(intmax_t, __isoc23_strtoimax)
OURO_UNSIGNED_C23(unsigned long, __isoc23_strtoul)
OURO_UNSIGNED_C23(unsigned long long, __isoc23_strtoull)
OURO_UNSIGNED_C23(uintmax_t, __isoc23_strtoumax)

// audit: atoi: fails no; short no; interrupted no; stores errno; calls back no
// A value that does not fit in an int is undefined in C; glibc converts the long.
int atoi(const char *string) {
  return (int)ouro_to_signed(string, 0, 10, sizeof(long));
}

// audit: atol: fails no; short no; interrupted no; stores errno; calls back no
long atol(const char *string) {
  return (long)ouro_to_signed(string, 0, 10, sizeof(long));
}

// audit: atoll: fails no; short no; interrupted no; stores errno; calls back no
long long atoll(const char *string) {
  return ouro_to_signed(string, 0, 10, sizeof(long long));
}
