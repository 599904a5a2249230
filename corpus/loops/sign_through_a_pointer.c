/* However large it is, the result of `strcmp` is negative here. */
#include <string.h>
int main(void) {
  char a[] = "a", c[] = "c";
  int (*compare)(const char *, const char *) = strcmp;
  while (compare(a, c) < 0) {}
  return 0;
}
