// `twalk` visits the leaf, where the visitor stays.
#include <search.h>

static int order(const void *left, const void *right) {
  return *(const int *)left - *(const int *)right;
}

static void visit(const void *node, VISIT when, int depth) {
  while (when == leaf && depth == 1) {
  }
}

int main(void) {
  int keys[] = {5, 3};
  void *root = 0;
  for (int i = 0; i < 2; i++) {
    if (tsearch(&keys[i], &root, order) == 0) {
      return 1;
    }
  }
  twalk(root, visit);
  return 0;
}
