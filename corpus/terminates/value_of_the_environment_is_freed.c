// Nobody may free what `getenv` returns: that is undefined, and the run ends there.
#include <stdlib.h>

int main(void) {
  char *home = getenv("HOME");
  if (home == 0)
    return 0;
  free(home);
  for (;;)
    ;
}
