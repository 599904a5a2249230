/* A look at another clock in between changes nothing about that. */
#include <time.h>
int main(void) {
  struct timespec first, other, second;
  if (clock_gettime(CLOCK_MONOTONIC, &first) != 0) return 1;
  if (clock_gettime(CLOCK_REALTIME, &other) != 0) return 1;
  if (clock_gettime(CLOCK_MONOTONIC, &second) != 0) return 1;
  while (second.tv_sec < first.tv_sec) {}
  while (second.tv_sec == first.tv_sec && second.tv_nsec < first.tv_nsec) {}
  return 0;
}
