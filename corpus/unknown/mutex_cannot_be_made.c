// POSIX lets it fail for lack of memory; with glibc it never does.
#include <pthread.h>

int main(void) {
  pthread_mutex_t mutex;
  if (pthread_mutex_init(&mutex, NULL) != 0)
    for (;;)
      ;
  return 0;
}
