// `lsearch` finds 2 and appends 7: four elements, the last of them new.
#include <search.h>

static int same(const void *left, const void *right) {
  return *(const int *)left != *(const int *)right;
}

int main(void) {
  int elements[5] = {1, 2, 3};
  size_t count = 3;
  int known = 2;
  int fresh = 7;
  while (lsearch(&known, elements, &count, sizeof known, same) != elements + 1) {
  }
  while (lsearch(&fresh, elements, &count, sizeof fresh, same) != elements + 3) {
  }
  while (count != 4 || elements[3] != 7) {
  }
  return 0;
}
