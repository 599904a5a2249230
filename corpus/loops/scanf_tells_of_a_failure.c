// `scanf` sets `errno` when reading fails.
#include <errno.h>
#include <stdio.h>

int main(void) {
  int number;
  errno = 0;
  if (scanf("%d", &number) == EOF)
    while (errno == EIO)
      ;
  return 0;
}
