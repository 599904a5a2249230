/* Undefined, so no such run counts: what is printed for the float is whatever another register holds. */
#include <stdio.h>
int main(void) {
  int length = snprintf(0, 0, "%d", 5.0);
  if (length == 1)
    for (;;) {}
  return 0;
}
