/* Without a seed, `rand` begins as after srand(1) (C11 7.22.2.2): this ends. */
#include <stdlib.h>
int main(void) {
  int first = rand();
  srand(1);
  if (rand() != first)
    for (;;) {}
  return 0;
}
