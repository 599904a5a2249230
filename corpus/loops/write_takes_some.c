// A write may take less than it was given.
#include <unistd.h>

int main(void) {
  char bytes[9] = {0};
  if (write(1, bytes, 9) == 4)
    for (;;)
      ;
  return 0;
}
