// The function may be called when standard input is at its end.
#include <stdio.h>

void called(void) {
  while (feof(stdin)) {
  }
}

int main(void) {
  return 0;
}
