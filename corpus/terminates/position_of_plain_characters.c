// Three characters and a literal were read: %n stores 4.
#include <stdio.h>

int main(void) {
  char letters[3];
  int position = 4;
  if (scanf("%c%c%c,%n", letters, letters + 1, letters + 2, &position) != 3)
    return 1;
  while (position != 4)
    ;
  return 0;
}
