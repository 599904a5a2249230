// What was given back is read, although the stream had ended.
#include <stdio.h>

int main(void) {
  if (getchar() != EOF)
    return 0;
  ungetc('a', stdin);
  while (getchar() != 'a')
    ;
  return 0;
}
