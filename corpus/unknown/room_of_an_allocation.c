/* At least what was asked for: glibc says 24. */
#include <malloc.h>
#include <stdlib.h>
int main(void) {
  char *memory = malloc(10);
  if (memory == 0) return 1;
  while (malloc_usable_size(memory) != 10) {}
  return 0;
}
