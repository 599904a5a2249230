#include <stdlib.h>

int main(void) {
  while (getenv("") != NULL)
    ;
  return 0;
}
