#include <stdlib.h>
static int compare(const void *a, const void *b) {
  int left = *(const int *)a, right = *(const int *)b;
  return (left > right) - (left < right);
}
int main(void) {
  int numbers[5] = {5, 3, 3, 1, 4};
  qsort(numbers, 5, sizeof *numbers, compare);
  while (numbers[1] == 3 && numbers[2] == 3 && numbers[4] == 5) {}
  return 0;
}
