// The mutex is held by the only thread, so `pthread_mutex_trylock` never gets it.
#include <pthread.h>

int main(void) {
  pthread_mutex_t lock;
  pthread_mutex_init(&lock, 0);
  pthread_mutex_lock(&lock);
  while (pthread_mutex_trylock(&lock) != 0) {
  }
  return 0;
}
