// A destructor is the oldest handler of glibc's `exit`: what it registers runs after it, and never returns.
#include <stdlib.h>

static void forever(void) {
  for (;;)
    ;
}

__attribute__((destructor)) static void last(void) {
  atexit(forever);
}

int main(void) {
  return 0;
}
