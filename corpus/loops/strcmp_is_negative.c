#include <string.h>
int main(void) {
  char a[] = "a", c[] = "c";
  int order = strcmp(a, c);
  while (order < 0 && order != 0 && order <= 0) {}
  return 0;
}
