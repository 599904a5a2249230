// `rewind` clears the indicators of the stream even where there is nothing to go back to.
#include <stdio.h>

int main(void) {
  if (getchar() != EOF || !feof(stdin))
    return 0;
  rewind(stdin);
  while (feof(stdin))
    ;
  return 0;
}
