// EOF cannot be given back.
#include <stdio.h>

int main(void) {
  ungetc(EOF, stdin);
  while (getchar() == 'a')
    ;
  return 0;
}
