// `write` to a closed descriptor fails; so does closing it a second time.
#include <unistd.h>

int main(void) {
  while (close(2) == 0)
    ;
  while (write(2, "x", 1) == 1)
    ;
  return 0;
}
