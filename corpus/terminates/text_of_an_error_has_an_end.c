#include <string.h>
#include <stdio.h>
int main(void) {
  const char *text = strerror(2);
  int length = 0;
  while (text[length] != 0) length++;
  return length > 0;
}
