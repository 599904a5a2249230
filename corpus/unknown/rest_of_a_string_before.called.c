// `strtok` goes on with a string that an earlier call gave it, if there was one.
#include <string.h>

int called(void) {
  int words = 0;
  while (strtok(0, " ") != 0) {
    words = 1;
  }
  return words;
}
