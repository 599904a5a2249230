// `errno` is what an earlier call left there.
#include <errno.h>

void called(void) {
  while (errno == EAGAIN) {
  }
}
