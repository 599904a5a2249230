/* glibc makes the buffer of `stdout` with the program's `malloc`, which never returns. */
#include <stdio.h>
void *malloc(size_t size) {
  for (;;) {}
}
int main(void) {
  puts("a");
  return 0;
}
