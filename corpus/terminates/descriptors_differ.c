#include <fcntl.h>

int main(void) {
  int one = open("x", O_RDONLY);
  int other = open("y", O_RDONLY);
  while (one >= 0 && one == other)
    ;
  return 0;
}
