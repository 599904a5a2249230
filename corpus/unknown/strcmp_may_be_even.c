/* C promises that the result is positive, not that it is odd: glibc's is 2 here, and the loop never ends. */
#include <string.h>
int main(void) {
  char c[] = "c", a[] = "a";
  int order = strcmp(c, a);
  if (order == 2)
    for (;;) {}
  return 0;
}
