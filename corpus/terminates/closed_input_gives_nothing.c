#include <unistd.h>

int main(void) {
  char byte;
  close(0);
  while (read(0, &byte, 1) == 1)
    ;
  return 0;
}
