/* glibc's `strcmp` returns 2 here, others 1. */
#include <string.h>
int main(void) {
  char c[] = "c", a[] = "a";
  int (*compare)(const char *, const char *) = strcmp;
  if (compare(c, a) == 2)
    for (;;) {}
  return 0;
}
