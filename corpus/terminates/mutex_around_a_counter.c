// One thread: the mutex is free each time.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

int main(void) {
  while (count < 10) {
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
  }
  while (pthread_mutex_trylock(&lock) != 0) {
  }
  return 0;
}
