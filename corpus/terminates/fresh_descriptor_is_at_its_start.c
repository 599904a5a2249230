#include <fcntl.h>
#include <unistd.h>

int main(void) {
  int descriptor = open("x", O_RDONLY);
  if (descriptor >= 0)
    while (lseek(descriptor, 0, SEEK_CUR) > 0)
      ;
  return 0;
}
