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

static ouro_time ouro_seconds(const char *name) {
  ouro_time seconds = __ouro_choice_long(name);
  __ouro_assume(seconds >= 0);
  return seconds;
}

static long ouro_below(const char *name, long limit) {
  long value = __ouro_choice_long(name);
  __ouro_assume(value >= 0);
  __ouro_assume(value < limit);
  return value;
}

ouro_time time(ouro_time *result) {
  ouro_time seconds = ouro_seconds("time");
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
    now->tv_sec = ouro_seconds("gettimeofday");
    now->tv_usec = ouro_below("gettimeofday", 1000000);
  }
  return 0;
}

int clock_gettime(int clock, struct timespec *now) {
  (void)clock;
  if (ouro_succeed_or_fail("clock_gettime") < 0)
    return -1;
  now->tv_sec = ouro_seconds("clock_gettime");
  now->tv_nsec = ouro_below("clock_gettime", 1000000000);
  return 0;
}

int timespec_get(struct timespec *now, int base) {
  if (base != 1)
    return 0;
  now->tv_sec = ouro_seconds("timespec_get");
  now->tv_nsec = ouro_below("timespec_get", 1000000000);
  return base;
}

// A signal may wake the program early; then some time is left.
int nanosleep(const struct timespec *wanted, struct timespec *left) {
  int result = ouro_succeed_or_fail("nanosleep");
  if (result < 0 && left != 0) {
    left->tv_sec = ouro_seconds("nanosleep");
    __ouro_assume(left->tv_sec <= wanted->tv_sec);
    left->tv_nsec = ouro_below("nanosleep", 1000000000);
  }
  return result;
}
