// A stream for appending cannot be read.
#include <stdio.h>

int main(void) {
  FILE *file = fopen("x", "a");
  if (file == NULL)
    return 0;
  while (fgetc(file) != EOF)
    ;
  return 0;
}
