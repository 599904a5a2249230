// A stream that was opened for reading refuses all output.
#include <stdio.h>

int main(void) {
  FILE *file = fopen("input", "r");
  if (file == 0)
    return 1;
  while (fputc('x', file) != EOF)
    ;
  return 0;
}
