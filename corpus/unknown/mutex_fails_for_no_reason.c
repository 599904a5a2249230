// C lets `mtx_trylock` fail although the mutex is free.
#include <threads.h>

int main(void) {
  mtx_t mutex;
  if (mtx_init(&mutex, mtx_plain) != thrd_success)
    return 0;
  if (mtx_trylock(&mutex) != thrd_success)
    for (;;)
      ;
  return 0;
}
