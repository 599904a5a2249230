// <time.h> and <sys/time.h>. When the program first looks at a clock, it shows what the environment
// decides. How much later it is at the next look nobody knows: a program that waits for a clock is not
// proved to end, since clocks need not advance, and not to wait forever, since they do.
//
// The clocks of the day can be set, so they show anything; the others never go back.
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

#define OURO_LATER "how much time has passed"
#define OURO_SECOND 1000000000

static long ouro_below(long chosen, long limit) {
  __ouro_assume(chosen >= 0);
  __ouro_assume(chosen < limit);
  return chosen;
}

#define OURO_SECONDS(name) ouro_below(__ouro_choice_long(name), LONG_MAX)
#define OURO_BELOW(name, limit) ouro_below(__ouro_choice_long(name), limit)

// Whether the program looked at a clock of the day before.
static int ouro_day_seen;

static int ouro_sees_day(void) {
  int first = !ouro_day_seen;
  ouro_day_seen = 1;
  return first;
}

static long ouro_unknown_seconds(void) {
  return (long)(__ouro_unknown_ulong(OURO_LATER) >> 1);
}

// So many bits, brought below the limit, which is more than half of what they can say.
static long ouro_fold(unsigned bits, unsigned limit) {
  return (long)(bits - (limit & -(unsigned)(bits >= limit)));
}

static long ouro_unknown_nanoseconds(void) {
  return ouro_fold(__ouro_unknown_uint(OURO_LATER) >> 2, OURO_SECOND);
}

static long ouro_unknown_microseconds(void) {
  return ouro_fold(__ouro_unknown_uint(OURO_LATER) >> 12, 1000000);
}

// audit: time: fails yes; short no; interrupted no; stores the time, errno; calls back no
ouro_time time(ouro_time *result) {
  ouro_time seconds;
  if (ouro_sees_day()) {
    seconds = __ouro_choice_long("time");
    __ouro_assume(seconds >= -1);
    ouro_tolerate(seconds == -1);
  } else if (__ouro_choice_bool("whether time fails")) {
    ouro_tolerate(1);
    seconds = -1;
  } else {
    seconds = ouro_unknown_seconds();
  }
  if (seconds == -1)
    ouro_fail();
  if (result != 0)
    *result = seconds;
  return seconds;
}

// audit: difftime: fails no; short no; interrupted no; stores no; calls back no
double difftime(ouro_time later, ouro_time earlier) {
  if (later < earlier)
    return -(double)((unsigned long)earlier - (unsigned long)later);
  return (double)((unsigned long)later - (unsigned long)earlier);
}

// `before` and some more, if that is not too large.
static long ouro_advance(long before, unsigned more) {
  unsigned long after = (unsigned long)before + more;
  return (long)(after - (more & -(unsigned long)(after > LONG_MAX)));
}

// audit: clock: fails yes; short no; interrupted no; stores no; calls back no
// It counts the time that the processor spent on the program.
long clock(void) {
  static int seen;
  static long last;
  if (!seen) {
    seen = 1;
    last = __ouro_choice_long("clock");
    __ouro_assume(last >= -1);
    ouro_tolerate(last == -1);
  } else if (last >= 0) {
    last = ouro_advance(last, __ouro_unknown_uint(OURO_LATER));
  }
  if (last >= 0 && __ouro_choice_bool("whether clock fails")) {
    ouro_tolerate(1);
    return -1;
  }
  return last;
}

// audit: gettimeofday: fails no; short no; interrupted no; stores the time; calls back no
int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  if (zone != 0)
    __ouro_limit("gettimeofday with a time zone");
  if (now == 0)
    return 0;
  if (ouro_sees_day()) {
    now->tv_sec = OURO_SECONDS("gettimeofday");
    now->tv_usec = OURO_BELOW("gettimeofday", 1000000);
  } else {
    now->tv_sec = ouro_unknown_seconds();
    now->tv_usec = ouro_unknown_microseconds();
  }
  return 0;
}

static void ouro_show_unknown_day(struct timespec *now) {
  now->tv_sec = ouro_unknown_seconds();
  now->tv_nsec = ouro_unknown_nanoseconds();
}

// Linux's clocks that never go back: monotonic, of the process and the thread, raw, coarse, since the
// start of the machine.
static int ouro_is_monotonic(int clock) {
  return clock == 1 || clock == 2 || clock == 3 || clock == 4 || clock == 6 || clock == 7;
}

static void ouro_show_later(struct timespec *now, struct timespec *last) {
  long seconds = ouro_advance(last->tv_sec, __ouro_unknown_uint(OURO_LATER) >> 1);
  long part = ouro_unknown_nanoseconds();
  long back = (seconds == last->tv_sec) & (part < last->tv_nsec);
  part = (part & ~-back) | (last->tv_nsec & -back);
  last->tv_sec = seconds;
  last->tv_nsec = part;
  *now = *last;
}

// Linux's clocks. The one with the number 10 is gone.
#define OURO_CLOCKS 12
#define OURO_NO_CLOCK 10

// audit: clock_gettime: fails yes; short no; interrupted no; stores the time, errno; calls back no
int clock_gettime(int clock, struct timespec *now) {
  static struct timespec last[8];
  static char seen[8];
  if (clock >= OURO_CLOCKS || clock == OURO_NO_CLOCK) {
    ouro_errno = OURO_EINVAL;
    return -1;
  }
  int result = OURO_RESULT("clock_gettime");
  int is_known = ouro_is_monotonic(clock) || clock == 0 || clock == 5;
  ouro_tolerate(result < 0 && is_known);
  if (result < 0)
    return -1;
  if (ouro_is_monotonic(clock)) {
    if (seen[clock]) {
      ouro_show_later(now, &last[clock]);
      return 0;
    }
    seen[clock] = 1;
    last[clock].tv_sec = OURO_SECONDS("clock_gettime");
    last[clock].tv_nsec = OURO_BELOW("clock_gettime", OURO_SECOND);
    *now = last[clock];
  } else if (ouro_sees_day()) {
    now->tv_sec = OURO_SECONDS("clock_gettime");
    now->tv_nsec = OURO_BELOW("clock_gettime", OURO_SECOND);
  } else {
    ouro_show_unknown_day(now);
  }
  return 0;
}

// audit: timespec_get: fails yes; short no; interrupted no; stores the time; calls back no
int timespec_get(struct timespec *now, int base) {
  if (base != 1)
    return 0;
  if (__ouro_choice_bool("whether timespec_get fails")) {
    ouro_tolerate(1);
    return 0;
  }
  if (ouro_sees_day()) {
    now->tv_sec = OURO_SECONDS("timespec_get");
    now->tv_nsec = OURO_BELOW("timespec_get", OURO_SECOND);
  } else {
    ouro_show_unknown_day(now);
  }
  return base;
}

// audit: nanosleep: fails yes; short no; interrupted yes; stores the time left, errno; calls back no
// Only a signal that the program handles wakes it early, and then some time is left; handlers are
// where the model ends.
int nanosleep(const struct timespec *wanted, struct timespec *left) {
  if (wanted->tv_sec < 0 || wanted->tv_nsec < 0 || wanted->tv_nsec >= OURO_SECOND) {
    ouro_errno = OURO_EINVAL;
    return -1;
  }
  int result = OURO_RESULT("nanosleep");
  ouro_tolerate(result < 0);
  if (result < 0 && left != 0) {
    long seconds = OURO_SECONDS("nanosleep");
    __ouro_assume(seconds <= wanted->tv_sec);
    long part = OURO_BELOW("nanosleep", OURO_SECOND);
    __ouro_assume((seconds < wanted->tv_sec) | (part <= wanted->tv_nsec));
    left->tv_sec = seconds;
    left->tv_nsec = part;
  }
  return result;
}
