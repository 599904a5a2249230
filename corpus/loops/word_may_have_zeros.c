// A zero is a character of a word like others: five of them fill the width, and anything may follow.
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
