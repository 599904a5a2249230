// The least number that is free is given.
#include <fcntl.h>
#include <unistd.h>

int main(void) {
  int one = open("x", O_RDONLY);
  if (one < 0)
    return 0;
  close(one);
  int other = open("y", O_RDONLY);
  while (one == other)
    ;
  return 0;
}
