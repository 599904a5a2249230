// A large `fread` looks again with glibc although the stream has ended.
#include <stdio.h>

static char bytes[64];

int main(void) {
  if (getchar() != EOF || !feof(stdin))
    return 0;
  if (fread(bytes, 1, sizeof bytes, stdin) > 0)
    for (;;)
      ;
  return 0;
}
