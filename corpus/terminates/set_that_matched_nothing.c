// Where the set matched nothing, the next character is none of it; where it matched, neither, unless reading failed
// in between.
#include <stdio.h>

int main(void) {
  char text[8];
  int result = scanf("%7[a-z]", text);
  if (result == EOF)
    return 1;
  if (result == 1) {
    int length = 0;
    while (text[length] != 0)
      length++;
    if (length == 7)
      return 2;
  }
  if (ferror(stdin))
    return 3;
  int next = getchar();
  while (next >= 'a' && next <= 'z')
    ;
  return 0;
}
