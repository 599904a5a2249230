// Reading a folder as standard input fails with EISDIR, a broken disk with EIO.
#include <errno.h>
#include <stdio.h>

int main(void) {
  errno = 0;
  int character = getchar();
  if (character == EOF && ferror(stdin) && errno != 0)
    for (;;)
      ;
  return 0;
}
