/* glibc's `strdup` calls the program's `malloc`, which returns the same memory each time. */
#include <string.h>
void *malloc(size_t size) {
  static char room[64];
  return size > sizeof room ? 0 : room;
}
int main(void) {
  char *a = strdup("x"), *b = strdup("y");
  if (a && a == b)
    for (;;) {}
  return 0;
}
