#include <stdio.h>

int main(void) {
  int number;
  if (scanf("%2d", &number) == 1)
    while (number > 99 || number < -9)
      ;
  return 0;
}
