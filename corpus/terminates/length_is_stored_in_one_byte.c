// %hhn stores one byte and leaves the others as they are.
#include <stdio.h>

int main(void) {
  signed char lengths[4] = {7, 7, 7, 7};
  char text[16];
  snprintf(text, sizeof text, "abc%hhn", &lengths[0]);
  while (lengths[0] != 3 || lengths[1] != 7 || lengths[2] != 7 || lengths[3] != 7)
    ;
  return 0;
}
