// Each of these fails as long as the output does: into a closed pipe, on a full disk.
#include <stdio.h>

int main(void) {
  while (printf("%d\n", 7) < 0)
    ;
  while (puts("x") == EOF)
    ;
  while (putc('x', stderr) != 'x')
    ;
  return 0;
}
