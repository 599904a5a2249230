// Characters and strings against the system's.
#include "harness.h"

OURS(isalnum); OURS(isalpha); OURS(isblank); OURS(iscntrl); OURS(isdigit); OURS(isgraph);
OURS(islower); OURS(isprint); OURS(ispunct); OURS(isspace); OURS(isupper); OURS(isxdigit);
OURS(isascii); OURS(toascii); OURS(tolower); OURS(toupper);
OURS(__ctype_b_loc); OURS(__ctype_tolower_loc); OURS(__ctype_toupper_loc);

void test_characters(void) {
#define CLASS(name) CHECK(!ouro_test_##name(c) == !(name)(c), #name "(%d)", c)
  for (int c = -1; c < 256; c++) {
    CLASS(isalnum); CLASS(isalpha); CLASS(isblank); CLASS(iscntrl); CLASS(isdigit);
    CLASS(isgraph); CLASS(islower); CLASS(isprint); CLASS(ispunct); CLASS(isspace);
    CLASS(isupper); CLASS(isxdigit); CLASS(isascii);
    CHECK(ouro_test_toascii(c) == toascii(c), "toascii(%d)", c);
    CHECK(ouro_test_tolower(c) == (tolower)(c), "tolower(%d)", c);
    CHECK(ouro_test_toupper(c) == (toupper)(c), "toupper(%d)", c);
  }
  for (int c = -128; c < 256; c++) {
    CHECK((*ouro_test___ctype_b_loc())[c] == (*__ctype_b_loc())[c], "class bits of %d", c);
    CHECK((*ouro_test___ctype_tolower_loc())[c] == (*__ctype_tolower_loc())[c], "lower %d", c);
    CHECK((*ouro_test___ctype_toupper_loc())[c] == (*__ctype_toupper_loc())[c], "upper %d", c);
  }
}

OURS(memcpy); OURS(mempcpy); OURS(memmove); OURS(memset); OURS(memcmp); OURS(memchr);
OURS(memrchr); OURS(memccpy); OURS(memmem); OURS(strlen); OURS(strnlen); OURS(strcpy);
OURS(stpcpy); OURS(strncpy); OURS(stpncpy); OURS(strcat); OURS(strncat); OURS(strcmp);
OURS(strncmp); OURS(strcasecmp); OURS(strncasecmp); OURS(strcoll); OURS(strxfrm); OURS(strchr);
OURS(strrchr); OURS(strchrnul); OURS(strspn); OURS(strcspn); OURS(strpbrk); OURS(strstr);
OURS(strcasestr); OURS(strtok); OURS(strtok_r); OURS(strsep); OURS(strdup); OURS(strndup);
OURS(index); OURS(rindex); OURS(ffs); OURS(ffsl); OURS(ffsll); OURS(bcopy); OURS(bzero);
OURS(bcmp); OURS(swab); OURS(rawmemchr);
size_t ouro_test_strlcpy(char *, const char *, size_t);
size_t ouro_test_strlcat(char *, const char *, size_t);

static int sign(int value) {
  return (value > 0) - (value < 0);
}

// Two equal buffers: one for the system's function, one for ours.
static char theirs[128], ours[128];

static void fill(const char *text) {
  for (size_t i = 0; i < sizeof theirs; i++)
    theirs[i] = ours[i] = (char)('0' + i % 10);
  strcpy(theirs, text);
  strcpy(ours, text);
}

static void check_same(const char *name, const char *expected, const char *got, const char *base,
                       const char *our_base) {
  CHECK((expected == 0) == (got == 0) && (expected == 0 || expected - base == got - our_base),
        "%s: another result", name);
  CHECK(memcmp(theirs, ours, sizeof theirs) == 0, "%s: another text: %s, %s", name, theirs, ours);
}

// A call that writes into a buffer and returns a pointer into it.
#define BUFFER(name, text, ...)                                                                    \
  do {                                                                                             \
    fill(text);                                                                                    \
    const char *expected = name(theirs, __VA_ARGS__);                                              \
    const char *got = ouro_test_##name(ours, __VA_ARGS__);                                         \
    check_same(#name, expected, got, theirs, ours);                                                \
  } while (0)
#define SAME(name, ...)                                                                            \
  CHECK(name(__VA_ARGS__) == ouro_test_##name(__VA_ARGS__), #name " of '%s', '%s'", a, b)
#define SAME_SIGN(name, ...)                                                                       \
  CHECK(sign(name(__VA_ARGS__)) == sign(ouro_test_##name(__VA_ARGS__)), #name " of '%s', '%s'", a, b)

static void test_tokens(const char *a, const char *b) {
  fill(a);
  char *rest, *our_rest;
  char *expected = strtok_r(theirs, b, &rest);
  char *got = ouro_test_strtok_r(ours, b, &our_rest);
  for (int i = 0; i < 40; i++) {
    check_same("strtok_r", expected, got, theirs, ours);
    expected = strtok_r(0, b, &rest);
    got = ouro_test_strtok_r(0, b, &our_rest);
  }
  fill(a);
  expected = strtok(theirs, b);
  got = ouro_test_strtok(ours, b);
  for (int i = 0; i < 40; i++) {
    check_same("strtok", expected, got, theirs, ours);
    expected = strtok(0, b);
    got = ouro_test_strtok(0, b);
  }
  fill(a);
  rest = theirs;
  our_rest = ours;
  for (int i = 0; i < 40; i++) {
    expected = strsep(&rest, b);
    got = ouro_test_strsep(&our_rest, b);
    check_same("strsep", expected, got, theirs, ours);
  }
}

static void test_bounded_copies(const char *a, const char *b, size_t n) {
  char expected[128];
  fill(a);
  int length = snprintf(expected, n, "%s", b);
  CHECK(ouro_test_strlcpy(ours, b, n) == (size_t)length, "strlcpy");
  CHECK(n == 0 || strcmp(ours, expected) == 0, "strlcpy");
  fill(a);
  size_t start = strnlen(a, n);
  snprintf(expected, n, "%s%s", a, b);
  CHECK(ouro_test_strlcat(ours, b, n) == start + strlen(b), "strlcat");
  CHECK(start == n || strcmp(ours, expected) == 0, "strlcat");
}

void test_strings(void) {
  for (int round = 0; round < 20000; round++) {
    char a[40], b[40];
    const char *alphabet = round % 2 ? "ab" : "aAbBzZ@[`{\x80\xff ";
    random_text(a, 20, alphabet);
    random_text(b, round % 3 ? 3 : 20, alphabet);
    if (round % 7 == 0)
      strcpy(b, a);
    size_t n = below(24);
    int c = "aAbB\x80\xff"[below(7)];
    size_t both = strlen(a) < strlen(b) ? strlen(a) + 1 : strlen(b) + 1;
    SAME(strlen, a);
    SAME(strnlen, a, n);
    SAME_SIGN(memcmp, a, b, both);
    CHECK(!bcmp(a, b, both) == !ouro_test_bcmp(a, b, both), "bcmp");
    SAME_SIGN(strcmp, a, b);
    SAME_SIGN(strcoll, a, b);
    SAME_SIGN(strncmp, a, b, n);
    SAME_SIGN(strcasecmp, a, b);
    SAME_SIGN(strncasecmp, a, b, n);
    SAME(memchr, a, c, strlen(a) + 1);
    SAME(memrchr, a, c, strlen(a) + 1);
    SAME(rawmemchr, a, 0);
    SAME(memmem, a, strlen(a), b, strlen(b));
    SAME(strchr, a, c);
    SAME(strrchr, a, c);
    SAME(strchrnul, a, c);
    SAME(index, a, c);
    SAME(rindex, a, c);
    SAME(strspn, a, b);
    SAME(strcspn, a, b);
    SAME(strpbrk, a, b);
    SAME(strstr, a, b);
    SAME(strcasestr, a, b);
    BUFFER(memcpy, a, b, strlen(b));
    BUFFER(mempcpy, a, b, strlen(b));
    BUFFER(memset, a, c, n);
    BUFFER(memccpy, a, b, c, strlen(b) + 1);
    BUFFER(strcpy, a, b);
    BUFFER(stpcpy, a, b);
    BUFFER(strncpy, a, b, n);
    BUFFER(stpncpy, a, b, n);
    BUFFER(strcat, a, b);
    BUFFER(strncat, a, b, n);
    fill(a);
    CHECK(ouro_test_strxfrm(ours, b, n) == strlen(b), "strxfrm");
    CHECK(strlen(b) >= n || strcmp(ours, b) == 0, "strxfrm");
    fill(a);
    size_t from = below(20), to = below(20);
    memmove(theirs + to, theirs + from, n);
    ouro_test_memmove(ours + to, ours + from, n);
    check_same("memmove", 0, 0, 0, 0);
    fill(a);
    bcopy(theirs + from, theirs + to, n);
    ouro_test_bcopy(ours + from, ours + to, n);
    check_same("bcopy", 0, 0, 0, 0);
    fill(a);
    swab(b, theirs, (ssize_t)strlen(b));
    ouro_test_swab(b, ours, (ssize_t)strlen(b));
    check_same("swab", 0, 0, 0, 0);
    fill(a);
    bzero(theirs, n);
    ouro_test_bzero(ours, n);
    check_same("bzero", 0, 0, 0, 0);
    test_tokens(a, b);
    test_bounded_copies(a, b, n);
    uint64_t bits = random_bits() << below(64) >> below(64);
    CHECK(ffs((int)bits) == ouro_test_ffs((int)bits), "ffs");
    CHECK(ffsl((long)bits) == ouro_test_ffsl((long)bits), "ffsl");
    CHECK(ffsll((long long)bits) == ouro_test_ffsll((long long)bits), "ffsll");
  }
  CHOOSE(0, 1, 0);
  char *copy = ouro_test_strdup("copy");
  CHECK(strcmp(copy, "copy") == 0, "strdup");
  CHECK(ouro_test_strdup("copy") == 0 && ouro_errno == ENOMEM, "strdup that fails");
  copy = ouro_test_strndup("copy", 2);
  CHECK(strcmp(copy, "co") == 0, "strndup");
}
