// A negative width stands for its magnitude and the flag `-`; a negative precision for none.
#include <stdio.h>

int main(void) {
  char text[32];
  int length = snprintf(text, sizeof text, "%*d|%.*s", -5, 42, -1, "abc");
  while (length != 9 || text[0] != '4' || text[4] != ' ' || text[5] != '|' || text[8] != 'c')
    ;
  return 0;
}
