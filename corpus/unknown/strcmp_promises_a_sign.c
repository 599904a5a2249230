/* glibc returns -2 here, gcc computes -1 itself: C promises only that it is negative. */
#include <string.h>
int main(void) {
  volatile char a[] = "a", c[] = "c";
  if (strcmp((char *)a, (char *)c) == -1)
    for (;;) {}
  return 0;
}
