// POSIX allows EINVAL where there is nothing to convert; glibc leaves `errno` alone.
#include <errno.h>
#include <stdlib.h>

int main(void) {
  errno = 0;
  strtol("abc", NULL, 10);
  while (errno == EINVAL)
    ;
  return 0;
}
