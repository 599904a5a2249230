/* glibc's `isalpha` returns 1024: C promises only that it is not zero. */
#include <ctype.h>
int main(void) {
  int letter = (isalpha)('a');
  if (letter % 2 == 0)
    for (;;) {}
  return 0;
}
