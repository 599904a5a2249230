// `pthread_once` calls the function.
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void prepare(void) {
  for (;;) {
  }
}

int main(void) {
  return pthread_once(&once, prepare);
}
