// POSIX allows it, but nothing interrupts a program that handles no signals.
#include <errno.h>
#include <unistd.h>

int main(void) {
  char byte;
  if (read(0, &byte, 1) < 0 && errno == EINTR)
    for (;;)
      ;
  return 0;
}
