/* C lets `time` fail, again and again; no system does. */
#include <time.h>
int main(void) {
  if (time(0) == (time_t)-1)
    for (;;) {}
  return 0;
}
