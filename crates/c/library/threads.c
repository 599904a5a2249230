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

// audit: pthread_once, call_once: fails no; short no; interrupted no; stores that it ran; calls back yes
int pthread_once(int *control, void (*function)(void)) {
  return ouro_once(control, function);
}

void call_once(int *control, void (*function)(void)) {
  ouro_once(control, function);
}

#define OURO_EBUSY 16
#define OURO_THRD_ERROR 2

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

static void ouro_new_mutex(struct ouro_mutex *mutex) {
  __builtin_memset(mutex, 0, sizeof *mutex);
}

// What may fail by its standard, and never does with glibc.
static int ouro_refused(int chosen) {
  ouro_tolerate(chosen);
  return chosen;
}
#define OURO_REFUSED(name) (!__ouro_result_unused() && ouro_refused(__ouro_choice_bool(name)))

// audit: pthread_mutex_init, mtx_init, mtx_lock, mtx_trylock: fails yes; short no; interrupted no; stores the mutex; calls back no
// audit: pthread_mutex_destroy, mtx_destroy, pthread_mutex_lock, pthread_mutex_trylock, pthread_mutex_unlock, mtx_unlock: fails no; short no; interrupted no; stores the mutex; calls back no
int pthread_mutex_init(struct ouro_mutex *mutex, const void *attributes) {
  if (attributes != 0)
    __ouro_limit("a mutex with attributes");
  if (OURO_REFUSED("pthread_mutex_init"))
    return OURO_ENOMEM;
  ouro_new_mutex(mutex);
  return 0;
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
  if (OURO_REFUSED("mtx_init"))
    return OURO_THRD_ERROR;
  ouro_new_mutex(mutex);
  return 0;
}

void mtx_destroy(struct ouro_mutex *mutex) {
  ouro_check_mutex(mutex);
  mutex->kind = -1;
}

int mtx_lock(struct ouro_mutex *mutex) {
  if (OURO_REFUSED("mtx_lock"))
    return OURO_THRD_ERROR;
  return ouro_lock(mutex);
}

// 1 is thrd_busy; C lets it fail for no reason.
int mtx_trylock(struct ouro_mutex *mutex) {
  if (OURO_REFUSED("mtx_trylock"))
    return 1;
  return ouro_try_lock(mutex);
}

int mtx_unlock(struct ouro_mutex *mutex) {
  return ouro_unlock(mutex);
}

// audit: sched_yield, thrd_yield: fails no; short no; interrupted no; stores no; calls back no
// Nobody else waits for the processor.
int sched_yield(void) {
  return 0;
}

void thrd_yield(void) {
}
