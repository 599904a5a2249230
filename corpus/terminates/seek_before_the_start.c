#include <stdio.h>

int main(void) {
  FILE *file = fopen("x", "r");
  if (file == NULL)
    return 0;
  while (fseek(file, -1, SEEK_CUR) == 0)
    ;
  return 0;
}
