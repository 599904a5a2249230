// A second call of `exit` is undefined: it is named, and is no endless recursion.
#include <stdlib.h>

__attribute__((destructor)) static void last(void) {
  exit(0);
}

int main(void) {
  return 0;
}
