// glibc forgets what it could not write, so the second `fflush` works. C does not promise that.
#include <stdio.h>

int main(void) {
  printf("x");
  while (fflush(stdout) != 0)
    ;
  return 0;
}
