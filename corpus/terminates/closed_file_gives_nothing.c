// Nobody else opens files in this process.
#include <fcntl.h>
#include <unistd.h>

int main(void) {
  char byte;
  int descriptor = open("x", O_RDONLY);
  if (descriptor < 0)
    return 0;
  close(descriptor);
  while (read(descriptor, &byte, 1) == 1)
    ;
  return 0;
}
