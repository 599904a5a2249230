// Only because the difference of two pointers does not fit into 32 bits would the loop end, which is undefined long before.
#include <stdlib.h>

int main(void) {
  char *row = malloc(10), *p = row;
  if (!row)
    return 0;
  while (p - row >= 0)
    p++;
  return 0;
}
