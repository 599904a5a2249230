// `fwrite` may write fewer elements than asked for, none in the end.
#include <stdio.h>

int main(void) {
  size_t done = 0;
  while (done < 2)
    done += fwrite("xy" + done, 1, 2 - done, stdout);
  return 0;
}
