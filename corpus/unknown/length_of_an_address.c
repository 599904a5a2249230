// How an address is written depends on where the object lies.
#include <stdio.h>

int main(void) {
  int object;
  while (snprintf(0, 0, "%p", (void *)&object) == 14)
    ;
  return 0;
}
