// The program clears the error, and the next character fails as the last one did.
#include <stdio.h>

int main(void) {
  do {
    clearerr(stdout);
    putchar('x');
  } while (ferror(stdout));
  return 0;
}
