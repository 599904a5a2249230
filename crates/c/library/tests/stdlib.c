// Allocation, the end of the program, sorting, the environment.
#include "harness.h"

OURS(malloc); OURS(calloc); OURS(realloc); OURS(reallocarray); OURS(free); OURS(aligned_alloc);
OURS(posix_memalign);
extern size_t __ouro_object_size(const void *);

void test_memory(void) {
  enum end how;
  CHOOSE(1);
  CHECK(ouro_test_malloc(4) == 0 && ouro_errno == ENOMEM, "malloc that fails");
  CHOOSE(0, 0, 1, 0, 0);
  char *memory = ouro_test_malloc(4);
  CHECK(__ouro_object_size(memory) == 4, "malloc(4)");
  memcpy(memory, "abcd", 4);
  memory = ouro_test_realloc(memory, 2);
  CHECK(__ouro_object_size(memory) == 2 && memcmp(memory, "ab", 2) == 0, "realloc to less");
  CHECK(ouro_test_realloc(memory, 8) == 0, "realloc that fails");
  CHECK(memcmp(memory, "ab", 2) == 0, "realloc that fails keeps the old object");
  memory = ouro_test_realloc(memory, 8);
  CHECK(__ouro_object_size(memory) == 8 && memcmp(memory, "ab", 2) == 0, "realloc to more");
  CHECK(ouro_test_realloc(memory, 0) == 0, "realloc to nothing");
  memory = ouro_test_realloc(0, 3);
  CHECK(__ouro_object_size(memory) == 3, "realloc of nothing");
  ouro_test_free(memory);
  ouro_test_free(0);
  CHOOSE(0, 0);
  memory = ouro_test_calloc(3, 2);
  CHECK(__ouro_object_size(memory) == 6 && memcmp(memory, "\0\0\0\0\0\0", 6) == 0, "calloc");
  CHECK(__ouro_object_size(ouro_test_calloc(3, 0)) == 0, "calloc of nothing");
  CHOOSE(0, 0, 0);
  RUN(how, ouro_test_calloc(SIZE_MAX / 2, 3));
  CHECK(how == ASSUMED_AWAY, "calloc of too much cannot succeed");
  RUN(how, ouro_test_malloc((size_t)PTRDIFF_MAX + 1));
  CHECK(how == ASSUMED_AWAY, "malloc of too much cannot succeed");
  ouro_errno = 0;
  CHECK(ouro_test_reallocarray(0, SIZE_MAX / 2, 3) == 0 && ouro_errno == ENOMEM, "reallocarray");
  RUN(how, ouro_test_aligned_alloc(3, 8));
  CHECK(how == LIMIT, "aligned_alloc(3, 8)");
  void *aligned = 0;
  CHECK(ouro_test_posix_memalign(&aligned, 2, 8) == EINVAL && aligned == 0, "posix_memalign");
  CHOOSE(0);
  CHECK(ouro_test_posix_memalign(&aligned, 8, 8) == 0 && aligned != 0, "posix_memalign");
}

OURS(exit); OURS(atexit); OURS(quick_exit); OURS(at_quick_exit); OURS(_Exit); OURS(abort);
OURS(abs); OURS(labs); OURS(llabs); OURS(div); OURS(ldiv); OURS(lldiv); OURS(qsort); OURS(qsort_r);
OURS(bsearch); OURS(getenv); OURS(setenv); OURS(unsetenv); OURS(rand); OURS(random); OURS(drand48);
OURS(system);

static void say_a(void) {
  written[written_size++] = 'a';
}

static void say_b(void) {
  written[written_size++] = 'b';
  ouro_test_atexit(say_a);
}

static void test_exit(void) {
  enum end how;
  written_size = 0;
  ouro_test_atexit(say_a);
  ouro_test_atexit(say_b);
  RUN(how, ouro_test_exit(7));
  CHECK(how == EXITED && exit_status == 7, "exit");
  CHECK(written_size == 4 && memcmp(written, "baa~", 4) == 0, "the order of exit's handlers");
  written_size = 0;
  ouro_test_atexit(say_a);
  ouro_test_at_quick_exit(say_b);
  RUN(how, ouro_test_quick_exit(8));
  CHECK(how == EXITED && exit_status == 8 && written_size == 1, "quick_exit");
  RUN(how, ouro_test__Exit(9));
  CHECK(how == EXITED && exit_status == 9 && written_size == 1, "_Exit");
  RUN(how, ouro_test_abort());
  CHECK(how == ABORTED, "abort");
  RUN(how, ouro_test_system("true"));
  CHECK(how == LIMIT, "system");
}

static int compare_ints(const void *left, const void *right) {
  int a = *(const int *)left, b = *(const int *)right;
  return (a > b) - (a < b);
}

static int compare_first(const void *left, const void *right, void *calls) {
  ++*(int *)calls;
  return *(const char *)left - *(const char *)right;
}

static void test_sorting(void) {
  for (int round = 0; round < 3000; round++) {
    int theirs[40], ours[40];
    size_t count = below(41);
    for (size_t i = 0; i < count; i++)
      theirs[i] = ours[i] = (int)below(round % 2 ? 10 : 1000000) - 5;
    qsort(theirs, count, sizeof *theirs, compare_ints);
    ouro_test_qsort(ours, count, sizeof *ours, compare_ints);
    CHECK(memcmp(theirs, ours, count * sizeof *ours) == 0, "qsort of %zu", count);
    int key = (int)below(12) - 6;
    const int *expected = bsearch(&key, ours, count, sizeof key, compare_ints);
    const int *got = ouro_test_bsearch(&key, ours, count, sizeof key, compare_ints);
    CHECK((expected == 0) == (got == 0) && (got == 0 || *got == key), "bsearch of %d", key);
    char elements[31 * 3];
    size_t triples = below(31);
    for (size_t i = 0; i < triples; i++) {
      elements[3 * i] = (char)('a' + below(4));
      elements[3 * i + 1] = elements[3 * i + 2] = (char)i;
    }
    int calls = 0;
    enum end how;
    RUN(how, ouro_test_qsort_r(elements, triples, 3, compare_first, &calls));
    for (size_t i = 3; i < 3 * triples && how == FINISHED; i += 3)
      CHECK(elements[i - 3] <= elements[i], "qsort_r sorts");
    int equal = 0;
    for (size_t i = 6; i < 3 * triples; i += 3)
      equal |= elements[i - 6] == elements[i];
    CHECK(how == (equal ? LIMIT : FINISHED), "qsort_r with three equal elements");
    CHECK(calls <= 31 * 7, "qsort_r makes %d comparisons", calls);
  }
}

static void test_environment(void) {
  CHOOSE(0, 2, 'h', 'i', 1);
  const char *value = ouro_test_getenv("SET");
  CHECK(value != 0 && strcmp(value, "hi") == 0, "getenv");
  CHECK(ouro_test_getenv("UNSET") == 0, "getenv of what is not set");
  CHECK(ouro_test_getenv("SET") == value && ouro_test_getenv("UNSET") == 0, "getenv again");
  CHECK(ouro_test_setenv("SET", "x", 0) == 0 && ouro_test_getenv("SET") == value, "setenv");
  CHOOSE(1, 0);
  CHECK(ouro_test_setenv("SET", "x", 1) == -1 && ouro_errno == ENOMEM, "setenv without memory");
  CHECK(ouro_test_setenv("SET", "x", 1) == 0 && !strcmp(ouro_test_getenv("SET"), "x"), "setenv");
  CHECK(ouro_test_unsetenv("SET") == 0 && ouro_test_getenv("SET") == 0, "unsetenv");
  CHECK(ouro_test_setenv("a=b", "x", 1) == -1 && ouro_errno == EINVAL, "setenv with =");
}

static void test_random(void) {
  enum end how;
  CHOOSE(-1);
  RUN(how, ouro_test_rand());
  CHECK(how == ASSUMED_AWAY, "rand is not negative");
  CHOOSE(RAND_MAX, 2147483647, 0, -1);
  CHECK(ouro_test_rand() == RAND_MAX && ouro_test_random() == 2147483647, "rand, random");
  CHECK(ouro_test_drand48() == 0 && ouro_test_drand48() == 1 - 0x1p-48, "drand48 is less than 1");
}

void test_stdlib(void) {
  test_exit();
  test_sorting();
  test_environment();
  test_random();
  for (int round = 0; round < 1000; round++) {
    long long a = (long long)random_bits() >> below(62);
    long long b = ((long long)random_bits() >> below(62)) | 2;
    CHECK(abs((int)a) == ouro_test_abs((int)a), "abs");
    CHECK(labs((long)a) == ouro_test_labs((long)a), "labs");
    CHECK(llabs(a) == ouro_test_llabs(a), "llabs");
    div_t small = ouro_test_div((int)a, (int)b | 2);
    CHECK(small.quot == (int)a / ((int)b | 2) && small.rem == (int)a % ((int)b | 2), "div");
    ldiv_t middle = ouro_test_ldiv((long)a, (long)b);
    CHECK(middle.quot == (long)a / (long)b && middle.rem == (long)a % (long)b, "ldiv");
    lldiv_t large = ouro_test_lldiv(a, b);
    CHECK(large.quot == a / b && large.rem == a % b, "lldiv");
  }
}
