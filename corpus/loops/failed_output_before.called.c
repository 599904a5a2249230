// An earlier write may have failed.
#include <stdio.h>

void called(void) {
  while (ferror(stdout)) {
  }
}
