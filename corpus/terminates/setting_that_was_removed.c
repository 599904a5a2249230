#include <stdlib.h>

int main(void) {
  unsetenv("A");
  while (getenv("A") != NULL)
    ;
  return 0;
}
