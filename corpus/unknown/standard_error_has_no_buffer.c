// With nothing in a buffer there is nothing that flushing could fail to write. C does not promise that.
#include <stdio.h>

int main(void) {
  fputs("x", stderr);
  if (fflush(stderr) != 0)
    for (;;)
      ;
  return 0;
}
