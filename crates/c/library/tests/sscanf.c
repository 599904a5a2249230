// `sscanf` against the system's.
#include "harness.h"

OURS(sscanf);

// Large enough for every conversion; the same rubbish on both sides.
struct targets {
  long double at[6][4];
};

static unsigned compared;

static void check_scan(const char *text, const char *format) {
  static struct targets theirs, ours;
  enum end how;
  memset(&theirs, 0x5a, sizeof theirs);
  memset(&ours, 0x5a, sizeof ours);
  int expected = sscanf(text, format, theirs.at[0], theirs.at[1], theirs.at[2], theirs.at[3],
                        theirs.at[4], theirs.at[5]);
  volatile int got = 0;
  RUN(how, got = ouro_test_sscanf(text, format, ours.at[0], ours.at[1], ours.at[2], ours.at[3],
                                  ours.at[4], ours.at[5]));
  if (how != FINISHED)
    return;
  compared++;
  CHECK(expected == got, "sscanf('%s', '%s'): %d, ours %d", text, format, expected, got);
  // What a conversion without success leaves behind is nobody's business.
  for (int i = 0; i < expected && i < 6; i++)
    CHECK(memcmp(theirs.at[i], ours.at[i], sizeof ours.at[i]) == 0, "sscanf('%s', '%s'): value %d",
          text, format, i);
}

void test_sscanf(void) {
  static const char *const formats[] = {
      "%d", "%d %d", "%d,%d", "%d%d%d", "%i %i", "%u", "%x", "%o", "%X %c", "%c%c", "%3c", "%s %s",
      "%2s%3s", "%hd %hhd", "%ld %lld", "%lu%llu", "%zu %td %jd", "%2d%2d", "%3x", "%[a-c]%s",
      "%[^,],%d", "%[]a]%c", "%[^]a]%c", "%*d %d", "%*s%d", "%*c%c", "%d%n", "%d%%%d", " %d ", "a%d",
      "%d a %d", "%1d%1x%1o%1i%1u", "%f", "%lf %lf", "%g%c", "%5[0-9]%s", "%[-a]%d", "%[a-]%d", "",
      " ", "%n", "%%"};
  static const char *const texts[] = {
      "", " ", "1", "-1", "+", "-", "- 1", "12 34", "12,34", "12 , 34", "0x1f 017 9", "0x", "0xg",
      "08", "abc def", "a1", " a", "abc,5", "]a", "a]", "99999999999", "-99999999999",
      "99999999999999999999", "-99999999999999999999", "70000 300", "5%6", "5 %6", "%", " %", "1.5 2",
      "1e", "-.5", "inf", "x", "12345", "123456789", "-1-2-3", "1 2 3", "\t\n7", "--1", "1a 2"};
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
    for (size_t j = 0; j < sizeof texts / sizeof *texts; j++)
      check_scan(texts[j], formats[i]);
  for (int round = 0; round < 40000; round++) {
    char text[32];
    random_text(text, 14, round % 2 ? "0123456789 -," : "a1 ,x-]0%.");
    check_scan(text, formats[below(sizeof formats / sizeof *formats)]);
  }
  CHECK(compared > 35000, "only %u texts were scanned", compared);
}
