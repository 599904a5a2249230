/* "No such file or directory" with glibc; C leaves the text to the implementation. */
#include <string.h>
int main(void) {
  if (strcmp(strerror(2), "error") != 0)
    for (;;) {}
  return 0;
}
