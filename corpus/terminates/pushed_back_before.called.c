// One character at most was pushed back before, and the end of the input is final.
#include <stdio.h>

void called(void) {
  while (feof(stdin) && getchar() != EOF) {
  }
}
