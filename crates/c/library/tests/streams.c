// Streams and descriptors: what the environment may choose, and what it may not.
#include "harness.h"

OURS(getchar); OURS(ungetc); OURS(feof); OURS(ferror); OURS(clearerr); OURS(fgets); OURS(fread);
OURS(getline); OURS(scanf); OURS(fopen); OURS(fclose); OURS(fprintf); OURS(fputs); OURS(puts);
OURS(printf); OURS(putchar); OURS(fwrite); OURS(sprintf); OURS(asprintf); OURS(read); OURS(write);
OURS(close); OURS(fscanf); OURS(fflush); OURS(stdin); OURS(stdout); OURS(fgetc); OURS(perror);

static void test_characters_of_stdin(void) {
  enum end how;
  CHOOSE('a', 255, -1, 0, 'b', -1, 1);
  CHECK(ouro_test_getchar() == 'a' && ouro_test_getchar() == 255, "getchar");
  CHECK(ouro_test_getchar() == EOF && ouro_test_ferror(ouro_test_stdin), "a failing getchar");
  CHECK(!ouro_test_feof(ouro_test_stdin) && ouro_test_getchar() == 'b', "getchar after a failure");
  CHECK(ouro_test_getchar() == EOF && ouro_test_feof(ouro_test_stdin), "getchar at the end");
  CHECK(ouro_test_getchar() == EOF && choices_left() == 0, "getchar after the end");
  CHECK(ouro_test_ungetc('c', ouro_test_stdin) == 'c' && !ouro_test_feof(ouro_test_stdin), "ungetc");
  CHECK(ouro_test_getchar() == 'c', "getchar after ungetc");
  ouro_test_clearerr(ouro_test_stdin);
  CHOOSE(256);
  RUN(how, ouro_test_getchar());
  CHECK(how == ASSUMED_AWAY, "getchar returns no 256");
  ouro_test_ungetc('c', ouro_test_stdin);
  RUN(how, ouro_test_ungetc('d', ouro_test_stdin));
  CHECK(how == LIMIT, "ungetc twice");
  ouro_test_getchar();
}

static void test_lines(void) {
  char line[8];
  CHOOSE('a', '\n', 'b', 'c', -1, 1);
  CHECK(ouro_test_fgets(line, 8, ouro_test_stdin) == line && !strcmp(line, "a\n"), "fgets");
  CHECK(ouro_test_fgets(line, 2, ouro_test_stdin) == line && !strcmp(line, "b"), "a short fgets");
  CHECK(ouro_test_fgets(line, 8, ouro_test_stdin) == line && !strcmp(line, "c"), "fgets to the end");
  CHECK(ouro_test_fgets(line, 8, ouro_test_stdin) == 0 && !strcmp(line, "c"), "fgets at the end");
  ouro_test_clearerr(ouro_test_stdin);
  CHOOSE('x', -1, 0);
  CHECK(ouro_test_fgets(line, 8, ouro_test_stdin) == 0, "fgets that fails");
  ouro_test_clearerr(ouro_test_stdin);
  CHOOSE('1', '2', '3', -1, 1);
  CHECK(ouro_test_fread(line, 2, 3, ouro_test_stdin) == 1 && !memcmp(line, "123", 3), "fread");
  ouro_test_clearerr(ouro_test_stdin);
  char *text = 0;
  size_t size = 0;
  CHOOSE(0, 'a', 'b', '\n', 'c', -1, 1);
  CHECK(ouro_test_getline(&text, &size, ouro_test_stdin) == 3 && !strcmp(text, "ab\n"), "getline");
  CHECK(ouro_test_getline(&text, &size, ouro_test_stdin) == 1 && !strcmp(text, "c"), "getline");
  CHECK(ouro_test_getline(&text, &size, ouro_test_stdin) == -1, "getline at the end");
  ouro_test_clearerr(ouro_test_stdin);
}

static void test_scanf(void) {
  enum end how;
  int a = 5, b = 5;
  CHOOSE(2, -3, 7);
  CHECK(ouro_test_scanf("%d %d", &a, &b) == 2 && a == -3 && b == 7, "scanf");
  CHOOSE('1');
  RUN(how, ouro_test_getchar());
  CHECK(how == ASSUMED_AWAY, "no digit follows a number");
  ouro_test_clearerr(ouro_test_stdin);
  CHOOSE(1, 8, 'x');
  CHECK(ouro_test_scanf("%d%d", &a, &b) == 1 && a == 8 && b == 7, "scanf of one of two");
  CHECK(ouro_test_getchar() == 'x', "what did not match");
  CHOOSE(1, 9, 1);
  CHECK(ouro_test_scanf("%d", &a) == 1 && a == 9, "scanf");
  CHECK(ouro_test_feof(ouro_test_stdin) && ouro_test_scanf("%d", &a) == EOF, "scanf saw the end");
  ouro_test_clearerr(ouro_test_stdin);
  char word[4];
  CHOOSE(1, 3, 'a', 'b', 'c');
  CHECK(ouro_test_scanf("%3s", word) == 1 && !strcmp(word, "abc"), "scanf of a word");
  CHOOSE(1, 4);
  RUN(how, ouro_test_scanf("%3s", word));
  CHECK(how == ASSUMED_AWAY, "the width bounds the word");
  CHOOSE(1, 1, ' ');
  RUN(how, ouro_test_scanf("%3s", word));
  CHECK(how == ASSUMED_AWAY, "no white space in a word");
  CHOOSE(0);
  RUN(how, ouro_test_scanf("%3s", word));
  CHECK(how == ASSUMED_AWAY, "a word always matches");
  CHOOSE(1, 2, 'x', 'c', '.');
  CHECK(ouro_test_scanf("%3[a-cx]", word) == 1 && !strcmp(word, "xc"), "scanf of a set");
  CHECK(ouro_test_getchar() == '.' && choices_left() == 0, "what is not in the set");
  CHOOSE(0, 'a');
  RUN(how, ouro_test_scanf("%3[a-cx]", word));
  CHECK(how == ASSUMED_AWAY, "what is in the set matches");
  ouro_test_getchar();
  CHOOSE(1, 1, 'd');
  RUN(how, ouro_test_scanf("%3[a-cx]", word));
  CHECK(how == ASSUMED_AWAY, "the set bounds the characters");
  CHOOSE(1, -10);
  RUN(how, ouro_test_scanf("%2d", &a));
  CHECK(how == ASSUMED_AWAY, "the width bounds the number");
  CHOOSE(1, 99);
  CHECK(ouro_test_scanf("%2d", &a) == 1 && a == 99, "a narrow number");
  CHOOSE(3);
  RUN(how, ouro_test_scanf("%*d %d %%", &a));
  CHECK(how == ASSUMED_AWAY, "at most one conversion");
  ouro_test_clearerr(ouro_test_stdin);
}

// Whether scanf with the queued choices gives this result and leaves these characters.
static int reads_as(const char *format, int is_text, int result, const char *rest, size_t left) {
  enum end how;
  static char object[80] __attribute__((aligned(16)));
  *(size_t *)object = 64; // where the primitive for the size of an object looks
  volatile int obtained = -2;
  double number;
  FILE *stream = ouro_test_fopen("in", "r");
  RUN(how, obtained = ouro_test_fscanf(stream, format, is_text ? (void *)(object + 16) : &number));
  if (how != FINISHED || obtained != result)
    return 0;
  for (volatile size_t i = 0; i <= left; i++) {
    RUN(how, obtained = ouro_test_fgetc(stream));
    if (how != FINISHED || obtained != (i < left ? (unsigned char)rest[i] : EOF))
      return 0;
  }
  return 1;
}

// What glibc's scanf does with a text, and what it leaves, the model must be able to do.
static void compare_scanf(const char *format, const char *input) {
  long long queue[96] = {0}; // the stream is opened
  long long all[100];
  size_t count = 1;
  union {
    int integer;
    double real;
    char text[64];
  } theirs = {0};
  FILE *stream =
      *input == 0 ? fopen("/dev/null", "r") : fmemopen((void *)input, strlen(input), "r");
  int result = fscanf(stream, format, &theirs);
  char rest[64];
  size_t left = fread(rest, 1, sizeof rest, stream);
  fclose(stream);
  const char *conversion = strrchr(format, '%');
  char kind = conversion[strcspn(conversion, "diuoxfsc[")];
  queue[count++] = result;
  if (result == EOF) {
    queue[count++] = 1;
  } else if (result == 1 && kind == 'f') {
    queue[count++] = isinf(theirs.real) ? CHOOSE_INFINITY : (long long)theirs.real;
  } else if (result == 1 && kind == 'c') {
    queue[count++] = theirs.text[0];
  } else if (result == 1 && (kind == 's' || kind == '[')) {
    size_t length = strlen(theirs.text);
    queue[count++] = (long long)length;
    for (size_t i = 0; i < length; i++)
      queue[count++] = (unsigned char)theirs.text[i];
  } else if (result == 1) {
    queue[count++] = theirs.integer;
  }
  size_t before = count;
  for (size_t i = 0; i < left; i++)
    queue[count++] = (unsigned char)rest[i];
  queue[count++] = -1;
  queue[count++] = 1;
  // Between conversions it is a choice where the text stops to match.
  for (int variant = 0; variant < 14; variant++) {
    static const struct {
      size_t count;
      long long values[2];
    } extra[7] = {{0, {0}}, {1, {0}}, {1, {1}}, {2, {0, 0}}, {2, {0, 1}}, {2, {1, 0}}, {2, {1, 1}}};
    size_t more = extra[variant / 2].count;
    size_t at = variant % 2 ? before : 2;
    memcpy(all, queue, at * sizeof *all);
    memcpy(all + at, extra[variant / 2].values, more * sizeof *all);
    memcpy(all + at + more, queue + at, (count - at) * sizeof *all);
    choose(count + more, all);
    if (reads_as(format, kind == 's' || kind == '[', result, rest, left))
      return;
  }
  CHECK(0, "scanf(\"%s\") of \"%s\" is %d and leaves \"%.*s\"", format, input, result, (int)left, rest);
}

static void test_scanf_allows_what_glibc_does(void) {
  static const char *const formats[] = {
      "%d",  "%i",  "%u",  "%o",     "%x",     "%1d",     "%2d",      "%3i",  "%2x", "%lf",
      "%s",  "%3s", "%c",  "%[a-z]", "%3[^x]", " %c",     "%d,",      ",%d",  "%%%d", "%*d%d",
      "x%s", " %[0-9]"};
  static const char *const inputs[] = {
      "",     "5",    "- 5",  "-5",    "+",    "+-5",  "--",    "0x",   "0xg",  "0x1f", "089",  "9",
      "inf5", "nan(", "in5",  "i",     "1e",   "1e+x", ".",     ".x",   "-.",   "5 6",  "5,6",  " 5",
      "abc",  "a",    "abcd", "ab cd", " abc", "x",    "  ",    "\n",   "xy",   "%7",   " %7",  "5%",
      ",5",   ", 5",  "-x",   "12345", "7a",   "infinity9", "infi", "5.5",  "1e5",  "0b1",  "-0x"};
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
    for (size_t j = 0; j < sizeof inputs / sizeof *inputs; j++)
      compare_scanf(formats[i], inputs[j]);
}

static void test_output(void) {
  static const char expected[] = "1 a\np\nqfwx: error\n";
  written_size = 0;
  CHECK(ouro_test_printf("%d %c\n", 1, 'a') == 4, "printf");
  CHECK(ouro_test_puts("p") >= 0 && ouro_test_putchar('q') == 'q', "puts, putchar");
  CHECK(ouro_test_fprintf(ouro_test_stdout, "f") == 1, "fprintf");
  CHECK(ouro_test_fwrite("w", 1, 1, ouro_test_stdout) == 1, "fwrite");
  ouro_test_perror("x");
  CHECK(written_size == strlen(expected) && !memcmp(written, expected, written_size),
        "the output: %.*s", (int)written_size, written);
  char buffer[16];
  CHECK(ouro_test_sprintf(buffer, "%s-%d", "s", 3) == 3 && !strcmp(buffer, "s-3"), "sprintf");
  char *text;
  CHOOSE(0, 1);
  CHECK(ouro_test_asprintf(&text, "%s-%d", "s", 3) == 3 && !strcmp(text, "s-3"), "asprintf");
  CHECK(ouro_test_asprintf(&text, "%d", 3) == -1, "asprintf that fails");
}

static void test_failing_output(void) {
  CHOOSE(1, ENOSPC);
  CHECK(ouro_test_printf("x") == EOF && ouro_errno == ENOSPC, "printf that fails");
  CHECK(ouro_test_ferror(ouro_test_stdout) && ouro_test_ferror(ouro_test_stdout), "the error stays");
  ouro_test_clearerr(ouro_test_stdout);
  CHECK(!ouro_test_ferror(ouro_test_stdout), "clearerr");
  CHOOSE(0, 1, EIO, 1, EPIPE, 1, EIO, 2, 1, EIO);
  CHECK(ouro_test_puts("x") == EOF && ouro_test_putchar('x') == EOF, "puts, putchar that fail");
  CHECK(ouro_test_fwrite("xyz", 1, 3, ouro_test_stdout) == 2, "fwrite that fails");
  CHECK(ouro_test_fflush(ouro_test_stdout) == EOF && ouro_errno == EIO, "fflush that fails");
  ouro_test_clearerr(ouro_test_stdout);
}

static void test_files(void) {
  enum end how;
  CHOOSE(1, 2, 0, 'x', 0, 0, 0);
  CHECK(ouro_test_fopen("in", "r") == 0 && ouro_errno == 2, "fopen that fails");
  FILE *in = ouro_test_fopen("in", "r");
  CHECK(ouro_test_fgetc(in) == 'x', "fgetc");
  FILE *out = ouro_test_fopen("out", "w");
  CHECK(ouro_test_fputs("text", out) >= 0, "fputs");
  CHECK(ouro_test_fclose(out) == 0 && choices_left() == 0, "fclose");
  CHOOSE(0);
  RUN(how, ouro_test_fopen("out", "r"));
  CHECK(how == LIMIT, "reading what was written");
  CHOOSE(0);
  out = ouro_test_fopen("both", "w+");
  RUN(how, ouro_test_fgetc(out));
  CHECK(how == LIMIT, "reading what was emptied");
}

static void test_descriptors(void) {
  enum end how;
  char bytes[4] = "----";
  CHOOSE(2, 'a', 'b');
  CHECK(ouro_test_read(0, bytes, 4) == 2 && !memcmp(bytes, "ab--", 4), "read");
  CHOOSE(-1, EIO);
  CHECK(ouro_test_read(0, bytes, 4) == -1 && ouro_errno == EIO, "read that fails");
  CHOOSE(5);
  RUN(how, ouro_test_read(0, bytes, 4));
  CHECK(how == ASSUMED_AWAY, "read of more than asked for");
  for (int descriptor = 1; descriptor <= 3; descriptor++) {
    CHOOSE(1, 0);
    RUN(how, ouro_test_write(descriptor, bytes, 4));
    CHECK(how == ASSUMED_AWAY, "write of nothing");
    CHOOSE(1, 4);
    RUN(how, ouro_test_write(descriptor, bytes, 4));
    CHECK(how == ASSUMED_AWAY, "a failure that writes everything");
    CHOOSE(1, 3);
    CHECK(ouro_test_write(descriptor, bytes, 4) == 3, "a short write");
    CHOOSE(1, -1, ENOSPC);
    CHECK(ouro_test_write(descriptor, bytes, 4) == -1 && ouro_errno == ENOSPC, "a full disk");
  }
  written_size = 0;
  CHECK(ouro_test_write(1, bytes, 4) == 4 && written_size == 4, "write");
  CHECK(ouro_test_write(-1, bytes, 4) == -1 && ouro_errno == EBADF, "write to no descriptor");
  CHOOSE(0);
  CHECK(ouro_test_close(2) == 0 && ouro_test_close(2) == -1, "close twice");
  CHECK(ouro_test_write(2, bytes, 4) == -1 && ouro_errno == EBADF, "write after close");
}

void test_streams(void) {
  test_characters_of_stdin();
  test_lines();
  test_scanf();
  test_scanf_allows_what_glibc_does();
  test_output();
  test_failing_output();
  test_files();
  test_descriptors();
}
