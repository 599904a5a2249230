// `exit` runs what was registered before the call, which never ends.
#include <stdlib.h>

static void spin(void) {
  for (;;) {
  }
}

void prepare(void) {
  atexit(spin);
}

void called(void) {
  exit(0);
}
