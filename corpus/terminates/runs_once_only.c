// The function runs in the first iteration alone.
#include <threads.h>

static once_flag once = ONCE_FLAG_INIT;
static int prepared;

static void prepare(void) {
  prepared++;
}

int main(void) {
  for (int i = 0; i < 3; i++) {
    call_once(&once, prepare);
  }
  while (prepared != 1) {
  }
  return 0;
}
