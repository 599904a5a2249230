/* One sequence of random numbers: each is as the environment likes. */
#include <stdlib.h>
#include <time.h>
int main(void) {
  srand((unsigned)time(0));
  while (rand() % 6 != 3) {}
  return 0;
}
