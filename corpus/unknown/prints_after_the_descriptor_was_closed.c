// As long as the buffer has room, `printf` still succeeds, and then it fails: 1024 or 4096 turns or others.
#include <stdio.h>
#include <unistd.h>

int main(void) {
  close(1);
  while (printf("x\n") >= 0)
    ;
  return 0;
}
