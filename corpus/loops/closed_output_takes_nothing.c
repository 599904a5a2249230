// The descriptor is closed: every `write` fails with EBADF.
#include <errno.h>
#include <unistd.h>

int main(void) {
  close(1);
  while (write(1, "x", 1) < 0 && errno == EBADF)
    ;
  return 0;
}
