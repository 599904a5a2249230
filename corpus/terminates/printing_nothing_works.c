// Where there is nothing to write, nothing can fail.
#include <stdio.h>

int main(void) {
  while (fputs("", stdin) == EOF)
    ;
  while (fputs("", stdout) == EOF)
    ;
  while (printf("%s", "") < 0)
    ;
  return 0;
}
