// There is no descriptor -1.
#include <unistd.h>

int main(void) {
  char byte;
  while (read(-1, &byte, 1) == 1)
    ;
  return 0;
}
