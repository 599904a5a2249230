// What is called through a pointer fails in the same way.
#include <stdio.h>

static int (*say)(const char *) = puts;

int main(void) {
  while (say("x") < 0)
    ;
  return 0;
}
