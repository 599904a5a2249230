// The first second of 1970 in Greenwich: the loop ends at once. `timegm` has no model, and nobody may pick its result.
#define _DEFAULT_SOURCE
#include <time.h>

int main(void) {
  struct tm start = {.tm_year = 70, .tm_mday = 1};
  while (timegm(&start) != 0) {
  }
  return 0;
}
