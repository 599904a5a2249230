// At the end of a stream nothing sets `errno`.
#include <errno.h>
#include <stdio.h>

int main(void) {
  errno = 0;
  if (getchar() == EOF && feof(stdin) && !ferror(stdin))
    while (errno != 0)
      ;
  return 0;
}
