// A word that is shorter than its width is followed by white space or the end.
#include <stdio.h>

int main(void) {
  char word[6];
  if (scanf("%5s", word) != 1 || word[1] != 0)
    return 1;
  int next = getchar();
  while (next == 'x')
    ;
  return 0;
}
