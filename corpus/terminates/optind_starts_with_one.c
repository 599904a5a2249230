/* POSIX: the system sets `optind` and `opterr` to 1. */
#include <unistd.h>
int main(void) {
  while (optind != 1 || opterr != 1) {}
  return 0;
}
