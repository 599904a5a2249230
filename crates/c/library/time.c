// <time.h> and <sys/time.h>: a clock shows whatever the environment decides, at each look. It need
// not advance, so waiting for it may take forever.
#include "ouro.h"

typedef long ouro_time;

struct timespec {
  ouro_time tv_sec;
  long tv_nsec;
};

struct timeval {
  ouro_time tv_sec;
  long tv_usec;
};

static long ouro_below(long chosen, long limit) {
  __ouro_assume(chosen >= 0);
  __ouro_assume(chosen < limit);
  return chosen;
}

#define OURO_SECONDS(name) ouro_below(__ouro_choice_long(name), LONG_MAX)
#define OURO_BELOW(name, limit) ouro_below(__ouro_choice_long(name), limit)

ouro_time time(ouro_time *result) {
  ouro_time seconds = OURO_SECONDS("time");
  if (result != 0)
    *result = seconds;
  return seconds;
}

double difftime(ouro_time later, ouro_time earlier) {
  if (later < earlier)
    return -(double)((unsigned long)earlier - (unsigned long)later);
  return (double)((unsigned long)later - (unsigned long)earlier);
}

long clock(void) {
  long ticks = __ouro_choice_long("clock");
  __ouro_assume(ticks >= -1);
  return ticks;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  if (zone != 0)
    __ouro_limit("gettimeofday with a time zone");
  if (now != 0) {
    now->tv_sec = OURO_SECONDS("gettimeofday");
    now->tv_usec = OURO_BELOW("gettimeofday", 1000000);
  }
  return 0;
}

int clock_gettime(int clock, struct timespec *now) {
  (void)clock;
  if (OURO_RESULT("clock_gettime") < 0)
    return -1;
  now->tv_sec = OURO_SECONDS("clock_gettime");
  now->tv_nsec = OURO_BELOW("clock_gettime", 1000000000);
  return 0;
}

int timespec_get(struct timespec *now, int base) {
  if (base != 1)
    return 0;
  now->tv_sec = OURO_SECONDS("timespec_get");
  now->tv_nsec = OURO_BELOW("timespec_get", 1000000000);
  return base;
}

// A signal may wake the program early; then some time is left.
int nanosleep(const struct timespec *wanted, struct timespec *left) {
  int result = OURO_RESULT("nanosleep");
  if (result < 0 && left != 0) {
    left->tv_sec = OURO_SECONDS("nanosleep");
    __ouro_assume(left->tv_sec <= wanted->tv_sec);
    left->tv_nsec = OURO_BELOW("nanosleep", 1000000000);
  }
  return result;
}
