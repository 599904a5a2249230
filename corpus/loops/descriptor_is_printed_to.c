// The disk is full.
#include <stdio.h>

int main(void) {
  while (dprintf(1, "x") != 1)
    ;
  return 0;
}
