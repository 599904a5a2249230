/* glibc's `timezone` is 0 until somebody asks for the time zone: nobody chooses another value. */
#include <time.h>
extern long timezone;
int main(void) {
  if (timezone != 0)
    for (;;) {}
  return 0;
}
