// What a stream has in a buffer that the program gave it is not modelled.
#include <stdio.h>

static char buffer[4096];

int main(void) {
  setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
  printf("x");
  while (buffer[0] == 'x')
    ;
  return 0;
}
