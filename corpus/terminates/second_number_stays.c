// A conversion that failed stores nothing.
#include <stdio.h>

int main(void) {
  int one = 1;
  int other = 2;
  int count = scanf("%d,%d", &one, &other);
  while (count == 1 && other != 2)
    ;
  return 0;
}
