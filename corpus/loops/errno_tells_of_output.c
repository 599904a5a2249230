// Nobody looks at the result of `printf`, but `errno` shows that it failed. The second loop looks through a
// pointer that was taken before.
#include <errno.h>
#include <stdio.h>

int main(void) {
  int *number = &errno;
  *number = 0;
  printf("x\n");
  while (*number != 0)
    ;
  return 0;
}
