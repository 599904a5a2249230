#include <stdio.h>

int main(void) {
  while (fgetc(stdout) != EOF)
    ;
  return 0;
}
