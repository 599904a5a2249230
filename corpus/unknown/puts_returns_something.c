// C says only that it is not negative: glibc returns 4, musl 0.
#include <stdio.h>

int main(void) {
  int result = puts("abc");
  while (result == 0)
    ;
  return 0;
}
