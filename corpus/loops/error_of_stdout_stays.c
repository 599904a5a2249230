// Once output has failed, `ferror` says so until the program clears it.
#include <stdio.h>

int main(void) {
  printf("x\n");
  while (ferror(stdout))
    ;
  return 0;
}
