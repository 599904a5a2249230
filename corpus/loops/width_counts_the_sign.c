// `-1` has two characters, and is the largest unsigned number.
#include <stdio.h>

int main(void) {
  unsigned number;
  if (scanf("%2x", &number) == 1)
    while (number > 255)
      ;
  return 0;
}
