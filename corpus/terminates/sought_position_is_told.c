#include <stdio.h>
int main(void) {
  FILE *file = fopen("data", "r");
  if (file == 0) return 1;
  if (fseek(file, 5, SEEK_SET) == 0)
    while (ftell(file) != 5 && ftell(file) != -1) {}
  return 0;
}
