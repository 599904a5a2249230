// Without an element nothing is compared.
#include <stdlib.h>

static int compare(const void *left, const void *right) {
  for (;;)
    ;
}

int main(void) {
  int numbers[2] = {1, 3};
  int key = 1;
  bsearch(&key, numbers, 0, sizeof key, compare);
  return 0;
}
