/* There may be no memory for it, each time. */
#include <stdlib.h>
int main(void) {
  while (setenv("NAME", "value", 1) != 0) {}
  return 0;
}
