// `lfind` calls the comparison with the first element.
#include <search.h>

static int same(const void *left, const void *right) {
  while (*(const int *)left != *(const int *)right) {
  }
  return 0;
}

int main(void) {
  int elements[] = {1, 2, 3};
  size_t count = 3;
  int key = 2;
  return lfind(&key, elements, &count, sizeof key, same) == 0;
}
