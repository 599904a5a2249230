#include <unistd.h>
int main(void) {
  long at = lseek(0, 12, SEEK_SET);
  while (at != -1 && at != 12) {}
  return 0;
}
