// Something new is in the buffer each time, so each flush can fail.
#include <stdio.h>

int main(void) {
  do
    fputs("x", stdout);
  while (fflush(stdout) != 0);
  return 0;
}
