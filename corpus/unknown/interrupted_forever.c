// C allows `write` to be interrupted forever, but no real run of a program without signal handlers is.
#include <errno.h>
#include <unistd.h>

int main(void) {
  while (write(1, "x", 1) < 0 && errno == EINTR)
    ;
  return 0;
}
