// Wide characters are not covered.
#include <stdio.h>

int main(void) {
  char text[8];
  snprintf(text, sizeof text, "%ls", L"abc");
  while (text[0] == 'a')
    ;
  return 0;
}
