// The handler runs when the program ends, not when `called` returns.
#include <stdlib.h>

static void spin(void) {
  for (;;) {
  }
}

void called(void) {
  atexit(spin);
}
