// The end comes before the first conversion: EOF, not 0.
#include <stdio.h>

int main(void) {
  int number = 5;
  int count = sscanf("  ", "%d", &number);
  while (count == EOF && number == 5)
    ;
  return 0;
}
