// Of "- 5", %d takes the sign and fails at the blank, which is left. "- - - ..." goes on like that.
#include <stdio.h>

int main(void) {
  int number;
  while (scanf("%d", &number) == 0 && getchar() == ' ')
    ;
  return 0;
}
