/* Which of several equal elements `bsearch` finds is not specified. */
#include <stdlib.h>
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void) {
  int numbers[4] = {1, 2, 2, 3}, key = 2;
  int *found = bsearch(&key, numbers, 4, sizeof key, compare);
  while (found == &numbers[2]) {}
  return 0;
}
