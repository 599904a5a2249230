// The disk is full.
#include <stdarg.h>
#include <stdio.h>

static int say(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = vprintf(format, arguments);
  va_end(arguments);
  return length;
}

int main(void) {
  while (say("%d\n", 1) < 0)
    ;
  return 0;
}
