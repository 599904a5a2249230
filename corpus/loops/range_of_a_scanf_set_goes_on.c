// The end of a range begins the next one with glibc: `a-c-e` is a to e, and a `-` that does not ascend is one.
#include <stdio.h>

int main(void) {
  char text[8];
  if (sscanf("d", "%[a-c-e]", text) != 1 || sscanf("-", "%[a-c-e]", text) == 1)
    return 0;
  while (sscanf("-", "%1[z-a]", text) == 1)
    ;
  return 0;
}
