// Text to numbers against the system's.
#include "harness.h"

OURS(strtol); OURS(strtoul); OURS(strtoll); OURS(strtoull); OURS(strtoimax); OURS(strtoumax);
OURS(atoi); OURS(atol); OURS(atoll); OURS(strtod); OURS(strtof); OURS(strtold); OURS(atof);

#define INTEGER(name, type)                                                                        \
  do {                                                                                             \
    char *end = 0, *our_end = 0;                                                                   \
    errno = ouro_errno = 0;                                                                        \
    type expected = name(text, &end, base);                                                        \
    type got = ouro_test_##name(text, &our_end, base);                                             \
    CHECK(expected == got && end == our_end && errno == ouro_errno,                                \
          #name "('%s', %d): %lld, %ld, %d; ours %lld, %ld, %d", text, base,                       \
          (long long)expected, (long)(end - text), errno, (long long)got, (long)(our_end - text),  \
          ouro_errno);                                                                             \
  } while (0)

static void check_integers(const char *text, int base) {
  INTEGER(strtol, long);
  INTEGER(strtoul, unsigned long);
  INTEGER(strtoll, long long);
  INTEGER(strtoull, unsigned long long);
  INTEGER(strtoimax, intmax_t);
  INTEGER(strtoumax, uintmax_t);
  CHECK(atoi(text) == ouro_test_atoi(text), "atoi('%s')", text);
  CHECK(atol(text) == ouro_test_atol(text), "atol('%s')", text);
  CHECK(atoll(text) == ouro_test_atoll(text), "atoll('%s')", text);
}

void test_integers(void) {
  static const char *const edges[] = {
      "", " ", "-", "+", "0", "-0", "0x", "0X", "-0x", "0xg", "0x0", "00x1", " \t\n\v\f\r12", "1 2",
      "+-1", "2147483647", "2147483648", "-2147483648", "-2147483649", "4294967295", "4294967296",
      "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
      "18446744073709551615", "18446744073709551616", "-18446744073709551615",
      "-18446744073709551616", "99999999999999999999999", "0x7fffffffffffffff", "0xffffffffffffffff",
      "0x10000000000000000", "zzzzzzzzzzzzz", "0777", "08", "0b101", "\2401"};
  static const int bases[] = {0, 10, 16, 8, 2, 36, 3, 35, 1, 37, -1};
  for (size_t i = 0; i < sizeof edges / sizeof *edges; i++)
    for (size_t j = 0; j < sizeof bases / sizeof *bases; j++)
      check_integers(edges[i], bases[j]);
  for (int round = 0; round < 30000; round++) {
    char text[64];
    random_text(text, 24, round % 3 == 0 ? "0123456789" : round % 3 == 1 ? " -+0x19afzAZ" : "01x ");
    if (round % 5 == 0)
      snprintf(text, sizeof text, "%s%llu", round % 2 ? "-" : "",
               (unsigned long long)(random_bits() >> below(64)));
    check_integers(text, (int)below(38) - (round % 2 ? 0 : 1));
    check_integers(text, round % 2 ? 10 : 0);
  }
}

static unsigned settled;

// Where the library gives up, nothing is compared.
static void check_reals(const char *text) {
  char *end, *our_end = 0;
  enum end how;
  errno = ouro_errno = 0;
  double expected = strtod(text, &end);
  volatile double got = 0;
  RUN(how, got = ouro_test_strtod(text, &our_end));
  double value = got;
  if (how == FINISHED) {
    settled++;
    CHECK(memcmp(&expected, &value, sizeof value) == 0 && end == our_end && errno == ouro_errno,
          "strtod('%s'): %a, %ld, %d; ours %a, %ld, %d", text, expected, (long)(end - text), errno,
          value, (long)(our_end - text), ouro_errno);
    CHECK(isnan(value) || ouro_test_atof(text) == value, "atof('%s')", text);
  }
  float single = strtof(text, &end);
  volatile float our_single = 0;
  RUN(how, our_single = ouro_test_strtof(text, &our_end));
  float single_value = our_single;
  CHECK(how != FINISHED || (memcmp(&single, &single_value, sizeof single) == 0 && end == our_end),
        "strtof('%s'): %a; ours %a", text, (double)single, (double)single_value);
  long double extended = strtold(text, &end);
  volatile long double our_extended = 0;
  RUN(how, our_extended = ouro_test_strtold(text, &our_end));
  long double extended_value = our_extended;
  CHECK(how != FINISHED || (memcmp(&extended, &extended_value, 10) == 0 && end == our_end),
        "strtold('%s'): %La; ours %La", text, extended, extended_value);
}

void test_reals(void) {
  static const char *const edges[] = {
      "", ".", "-", "0", "-0", "0.0", "1", "-1.5", ".5", "5.", "1e", "1e+", "1e5", "1E-5", "1e22",
      "1e23", "1e25", "1e400", "-1e400", "1e-400", "123456789012345678", "0.1", "3.14159265358979",
      "100000000000000000000000", "1.000000000000000000000000000", "inf", "-Infinity", "infinit",
      "nan", "-nan", "nan(12_a)", "nan(", "0x", "0x.", "0x1p4", "0x1.8p-3", "0x.8", "0x1p", "0x1p+",
      "0x1.fffffffffffffp1023", "0x1p1024", "0x1p-1022", "0x1p-1074", "0xfffffffffffffffp0",
      "16777217", "16777219", "16777217.0000001", "1e38", "1e39", "1e-38", "1e-46", " \t1.25x",
      "9007199254740993", "1e99999999999999999999", "0e99999999999999", "0x1p99999999999"};
  for (size_t i = 0; i < sizeof edges / sizeof *edges; i++)
    check_reals(edges[i]);
  settled = 0;
  for (int round = 0; round < 30000; round++) {
    char text[64];
    random_text(text, 16, round % 2 ? "0123456789." : "01.-e+xp8 ");
    if (round % 3 == 0)
      snprintf(text, sizeof text, "%s%u.%0*ue%d", round % 2 ? "-" : "", below(1000000), 1 + (int)below(9),
               below(1000000000), (int)below(40) - 20);
    if (round % 3 == 1)
      snprintf(text, sizeof text, "%a", ldexp((double)(random_bits() >> 11), (int)below(200) - 100));
    check_reals(text);
  }
  CHECK(settled > 15000, "the library reads only %u of 30000 numbers", settled);
}
