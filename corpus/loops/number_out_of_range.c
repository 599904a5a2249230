#include <errno.h>
#include <limits.h>
#include <stdlib.h>

int main(void) {
  errno = 0;
  long number = strtol("99999999999999999999", NULL, 10);
  while (number == LONG_MAX && errno == ERANGE)
    ;
  return 0;
}
