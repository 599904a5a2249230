// What `fill` gets is on the heap, and is what the loop looks at.
#include <stdlib.h>

extern void fill(int *cell);

int main(void) {
  int *cell = malloc(sizeof *cell);
  if (cell == 0) {
    return 1;
  }
  *cell = 1;
  fill(cell);
  while (*cell == 1) {
  }
  return 0;
}
