// Streams and descriptors: what the environment may choose, and what it may not.
#include "harness.h"

OURS(getchar); OURS(ungetc); OURS(feof); OURS(ferror); OURS(clearerr); OURS(fgets); OURS(fread);
OURS(getline); OURS(scanf); OURS(fopen); OURS(fclose); OURS(fprintf); OURS(fputs); OURS(puts);
OURS(printf); OURS(putchar); OURS(fwrite); OURS(sprintf); OURS(asprintf); OURS(read); OURS(write);
OURS(stdin); OURS(stdout); OURS(fgetc); OURS(perror);

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
  CHOOSE(1, 2, 'x', 'c');
  CHECK(ouro_test_scanf("%3[a-cx]", word) == 1 && !strcmp(word, "xc"), "scanf of a set");
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
  CHOOSE(0);
  RUN(how, ouro_test_write(3, bytes, 4));
  CHECK(how == ASSUMED_AWAY, "write of nothing");
  written_size = 0;
  CHECK(ouro_test_write(1, bytes, 4) == 4 && written_size == 4, "write");
}

void test_streams(void) {
  test_characters_of_stdin();
  test_lines();
  test_scanf();
  test_output();
  test_files();
  test_descriptors();
}
