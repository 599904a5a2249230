// After a failure `ferror` is true, so the inner loop is left at once.
#include <stdio.h>

int main(void) {
  int turns = 0;
  if (printf("x\n") < 0)
    while (!ferror(stdout))
      turns = 0;
  return turns;
}
