// Texts of different errors may be at one address or at two.
#include <string.h>

int main(void) {
  char *one = strerror(1);
  char *two = strerror(2);
  while (one == two)
    ;
  return 0;
}
