#include <stdio.h>

int main(void) {
  while (fseek(stdin, 0, SEEK_SET) != 0)
    ;
  return 0;
}
