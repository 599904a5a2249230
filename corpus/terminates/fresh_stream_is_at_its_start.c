/* Or it has no positions at all, if it is a pipe. */
#include <stdio.h>
int main(void) {
  FILE *file = fopen("data", "r");
  if (file == 0) return 1;
  while (ftell(file) > 0) {}
  return 0;
}
