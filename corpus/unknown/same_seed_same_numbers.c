/* With the same seed `rand` gives the same numbers, so this ends; the model does not know them. */
#include <stdlib.h>
int main(void) {
  srand(42);
  int first = rand();
  srand(42);
  if (rand() != first)
    for (;;) {}
  return 0;
}
