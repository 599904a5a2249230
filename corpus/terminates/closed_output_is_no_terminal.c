#include <unistd.h>

int main(void) {
  close(1);
  while (isatty(1))
    ;
  return 0;
}
