/* `rand_r` is a function of its seed, so this ends. */
#include <stdlib.h>
int main(void) {
  unsigned left = 7, right = 7;
  if (rand_r(&left) != rand_r(&right))
    for (;;) {}
  return 0;
}
