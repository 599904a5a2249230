#include <stdlib.h>

static int set;

static void handler(void) {
  set = 1;
}

__attribute__((destructor)) static void last(void) {
  while (set)
    ;
}

int main(void) {
  atexit(handler);
  return 0;
}
