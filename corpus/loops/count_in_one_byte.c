// `%hhn` writes one byte.
#include <stdio.h>

int main(void) {
  int count = 0x01010101;
  snprintf(NULL, 0, "ab%hhn", (signed char *)&count);
  while (count == 0x01010102)
    ;
  return 0;
}
