/* Whatever the order of comparisons, there is one result. */
#include <stdlib.h>
#include <string.h>
static int compare(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}
int main(void) {
  const char *words[3] = {"pear", "apple", "fig"};
  qsort(words, 3, sizeof *words, compare);
  while (strcmp(words[0], "apple") != 0) {}
  return 0;
}
