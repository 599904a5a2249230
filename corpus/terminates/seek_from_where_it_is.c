#include <stdio.h>

int main(void) {
  FILE *file = fopen("x", "r");
  if (file == NULL)
    return 0;
  if (fseek(file, 3, SEEK_SET) == 0 && fseek(file, 2, SEEK_CUR) == 0)
    while (ftell(file) == 6)
      ;
  return 0;
}
