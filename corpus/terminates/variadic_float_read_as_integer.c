/* Undefined, so no such run counts: x86-64 passes the float in another register than `va_arg` reads. */
#include <stdarg.h>
static int first(int count, ...) {
  va_list list;
  va_start(list, count);
  int value = va_arg(list, int);
  va_end(list);
  return value;
}
int main(void) {
  while (first(1, 5.0) == 0) {}
  return 0;
}
