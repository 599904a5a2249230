// With the largest number as the bound, only an overflow ends the loop; the input itself ends.
#include <stdio.h>

int main(void) {
  int n = 0, sum = 0;
  scanf("%d", &n);
  for (int i = 1; i <= n; i++)
    sum ^= i;
  return sum;
}
