/* The file may be as long as that. */
#include <stdio.h>
int main(void) {
  FILE *file = fopen("data", "r");
  if (file == 0) return 1;
  if (fseek(file, 0, SEEK_END) != 0) return 1;
  while (ftell(file) == 7) {}
  return 0;
}
