// A function of another file may set errno, to any number.
#include <errno.h>

extern void run_events(void);

int main(void) {
  errno = 0;
  run_events();
  while (errno != EINTR) {
  }
  return 0;
}
