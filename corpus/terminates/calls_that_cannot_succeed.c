// No file has an empty name or none, no mode begins with `q`, and nothing is seen from an unknown origin.
#include <stdio.h>
#include <time.h>
#include <unistd.h>

int main(void) {
  struct timespec now;
  if (fopen("", "r") || freopen("f", "q", stderr) || remove("") == 0)
    for (;;)
      ;
  while (lseek(0, 0, 77) >= 0 || clock_gettime(10, &now) == 0)
    ;
  return 0;
}
