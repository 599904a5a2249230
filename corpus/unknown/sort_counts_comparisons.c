/* How often `qsort` compares nobody promises. */
#include <stdlib.h>
static int calls;
static int compare(const void *a, const void *b) {
  calls++;
  return *(const int *)a - *(const int *)b;
}
int main(void) {
  int numbers[4] = {4, 3, 2, 1};
  qsort(numbers, 4, sizeof *numbers, compare);
  while (calls == 4) {}
  return 0;
}
