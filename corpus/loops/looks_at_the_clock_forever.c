/* What the clock shows decides nothing. */
#include <time.h>
int main(void) {
  long seen = 0;
  for (;;) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    seen = now.tv_sec ^ now.tv_nsec;
  }
  return (int)seen;
}
