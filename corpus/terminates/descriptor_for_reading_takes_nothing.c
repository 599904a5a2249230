#include <fcntl.h>
#include <unistd.h>

int main(void) {
  int descriptor = open("x", O_RDONLY);
  if (descriptor < 0)
    return 0;
  while (write(descriptor, "x", 1) == 1)
    ;
  return 0;
}
