/* Only a handled signal cuts a sleep short, and there is no handler: this ends. */
#include <unistd.h>
int main(void) {
  if (sleep(1) != 0)
    for (;;) {}
  return 0;
}
