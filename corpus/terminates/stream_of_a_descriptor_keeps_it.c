#include <fcntl.h>
#include <stdio.h>

int main(void) {
  int descriptor = open("x", O_RDONLY);
  if (descriptor < 0)
    return 0;
  FILE *file = fdopen(descriptor, "r");
  while (file && fileno(file) != descriptor)
    ;
  return 0;
}
