// `fgets` has room for the null character alone, and reads nothing.
#include <stdio.h>

int main(void) {
  char line[1];
  while (fgets(line, 1, stdin) == NULL)
    ;
  return 0;
}
