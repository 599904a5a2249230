#include <time.h>

int main(void) {
  struct timespec now;
  while (clock_gettime(100, &now) == 0)
    ;
  return 0;
}
