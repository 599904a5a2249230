#include <stdio.h>
int main(void) {
  FILE *file = fopen("data", "r");
  if (file == 0) return 1;
  while (fileno(file) != fileno(file)) {}
  return 0;
}
