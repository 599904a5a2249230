// The loop that never ends is in a function that runs at exit.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

static int waits;

static void last(void) {
  while (waits)
    ;
}

int main(void) {
  atexit(last);
  waits = __VERIFIER_nondet_int();
  for (int i = 0; i < 3; i++)
    waits += 0;
  return 0;
}
