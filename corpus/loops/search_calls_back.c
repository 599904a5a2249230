#include <search.h>

static int compare(const void *left, const void *right) {
  for (;;)
    ;
}

int main(void) {
  int numbers[3] = {1};
  size_t count = 1;
  int key = 2;
  lsearch(&key, numbers, &count, sizeof key, compare);
  return 0;
}
