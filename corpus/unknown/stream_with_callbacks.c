// It loops: the stream is written by the program itself.
#define _GNU_SOURCE
#include <stdio.h>

static ssize_t forever(void *cookie, const char *bytes, size_t size) {
  for (;;)
    ;
}

int main(void) {
  cookie_io_functions_t functions = {.write = forever};
  FILE *file = fopencookie(NULL, "w", functions);
  if (file == NULL)
    return 0;
  setbuf(file, NULL);
  fputc(1, file);
  return 0;
}
