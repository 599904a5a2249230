/* "nan" or "-nan". */
#include <stdio.h>
int main(void) {
  char text[16];
  volatile double zero = 0;
  int length = snprintf(text, sizeof text, "%f", zero / zero);
  while (length == 3) {}
  return 0;
}
