#include <stdlib.h>

static void forever(void) {
  for (;;)
    ;
}

int main(void) {
  atexit(forever);
  quick_exit(0);
}
