/* Undefined, so no such run counts: glibc writes "(null)", which has six characters. */
#include <stdio.h>
int main(void) {
  char *text = 0;
  int length = snprintf(0, 0, "%s", text);
  if (length == 6)
    for (;;) {}
  return 0;
}
