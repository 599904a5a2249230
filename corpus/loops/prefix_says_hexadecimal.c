#include <stdio.h>

int main(void) {
  int number;
  if (sscanf("0x1F", "%i", &number) == 1)
    while (number == 31)
      ;
  return 0;
}
