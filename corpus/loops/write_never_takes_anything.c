// On a full disk, `write` fails every time.
#include <unistd.h>

int main(void) {
  while (write(1, "x", 1) != 1)
    ;
  return 0;
}
