// <pthread.h> and <threads.h>, what they mean in a program of one thread: what runs once, and mutexes.
// Making a thread, waiting for one, and waiting for a mutex that is held are limits.
#include "ouro.h"

// glibc's values: not yet, at it, done. The last counts the forks, so anything else is done as well.
static int ouro_once(int *control, void (*function)(void)) {
  if (*control == 1)
    __ouro_limit("a function that is to run once and waits for itself");
  if (*control == 0) {
    *control = 1;
    function();
    *control = 2;
  }
  return 0;
}

int pthread_once(int *control, void (*function)(void)) {
  return ouro_once(control, function);
}

void call_once(int *control, void (*function)(void)) {
  ouro_once(control, function);
}

#define OURO_EBUSY 16

// As glibc lays a mutex out, as far as it is looked at.
struct ouro_mutex {
  int held;
  unsigned count;
  int owner;
#if __SIZEOF_POINTER__ == 8
  unsigned users;
#endif
  int kind;
#if __SIZEOF_POINTER__ == 8
  char rest[20];
#else
  char rest[8];
#endif
};

static void ouro_check_mutex(const struct ouro_mutex *mutex) {
  if (mutex->kind != 0)
    __ouro_limit("a mutex of another kind than the default");
}

static int ouro_lock(struct ouro_mutex *mutex) {
  ouro_check_mutex(mutex);
  if (mutex->held != 0)
    __ouro_limit("waiting for a mutex that is held");
  mutex->held = 1;
  return 0;
}

static int ouro_try_lock(struct ouro_mutex *mutex) {
  ouro_check_mutex(mutex);
  if (mutex->held != 0)
    return 1;
  mutex->held = 1;
  return 0;
}

static int ouro_unlock(struct ouro_mutex *mutex) {
  ouro_check_mutex(mutex);
  if (mutex->held == 0)
    __ouro_undefined("unlocking a mutex that is not locked");
  mutex->held = 0;
  return 0;
}

static int ouro_new_mutex(struct ouro_mutex *mutex) {
  __builtin_memset(mutex, 0, sizeof *mutex);
  return 0;
}

int pthread_mutex_init(struct ouro_mutex *mutex, const void *attributes) {
  if (attributes != 0)
    __ouro_limit("a mutex with attributes");
  return ouro_new_mutex(mutex);
}

int pthread_mutex_destroy(struct ouro_mutex *mutex) {
  ouro_check_mutex(mutex);
  if (mutex->held != 0)
    __ouro_undefined("destroying a mutex that is locked");
  mutex->kind = -1;
  return 0;
}

int pthread_mutex_lock(struct ouro_mutex *mutex) {
  return ouro_lock(mutex);
}

int pthread_mutex_trylock(struct ouro_mutex *mutex) {
  return ouro_try_lock(mutex) ? OURO_EBUSY : 0;
}

int pthread_mutex_unlock(struct ouro_mutex *mutex) {
  return ouro_unlock(mutex);
}

int mtx_init(struct ouro_mutex *mutex, int kind) {
  if (kind != 0)
    __ouro_limit("a mutex of another kind than the default");
  return ouro_new_mutex(mutex);
}

void mtx_destroy(struct ouro_mutex *mutex) {
  ouro_check_mutex(mutex);
  mutex->kind = -1;
}

int mtx_lock(struct ouro_mutex *mutex) {
  return ouro_lock(mutex);
}

// 1 is thrd_busy.
int mtx_trylock(struct ouro_mutex *mutex) {
  return ouro_try_lock(mutex);
}

int mtx_unlock(struct ouro_mutex *mutex) {
  return ouro_unlock(mutex);
}

// Nobody else waits for the processor.
int sched_yield(void) {
  return 0;
}

void thrd_yield(void) {
}
