// Small headers: <locale.h>, <signal.h>, <arpa/inet.h>.
#include "ouro.h"

// The program runs in the C locale. Another one may not exist; what it is called nobody promises, and
// how it differs from C's is not modelled.
#define OURO_LONGEST_NAME 64
#define OURO_LAST_CATEGORY 12

// audit: setlocale: fails yes; short no; interrupted no; stores its text, errno; calls back no
char *setlocale(int category, const char *name) {
  static char text[OURO_LONGEST_NAME];
  static char last[OURO_LONGEST_NAME];
  static char *locale = text;
  static int known;
  if (category < 0 || category > OURO_LAST_CATEGORY) {
    ouro_errno = OURO_EINVAL;
    return 0;
  }
  if (name != 0) {
    int is_plain = ouro_compare(name, "C") == 0 || ouro_compare(name, "POSIX") == 0;
    int fails = __ouro_choice_bool("setlocale");
    ouro_tolerate(fails && is_plain);
    if (fails)
      return 0;
    if (!is_plain)
      __ouro_assumption("characters, numbers and texts are the same in every locale");
    known = 0;
  }
  if (!known) {
    if (__ouro_unknown_bool("where the name of a locale is"))
      locale = locale == text ? last : text;
    ouro_write_unknown(locale, OURO_LONGEST_NAME);
  }
  known = 1;
  return locale;
}

// No signal arrives: a handler would never run, so installing one is where the model ends. The
// program may have been started with signals that it ignores.
typedef void (*ouro_signal_handler)(int);
#define OURO_SIGNALS 65

static ouro_signal_handler ouro_set_handler(int number, ouro_signal_handler handler) {
  static char known[OURO_SIGNALS];
  static char ignored[OURO_SIGNALS];
  // 32 and 33 are glibc's own.
  int is_taken = number == 9 || number == 19 || number == 32 || number == 33;
  if (number <= 0 || number >= OURO_SIGNALS || is_taken) {
    ouro_errno = OURO_EINVAL;
    return (ouro_signal_handler)-1;
  }
  if (handler != (ouro_signal_handler)0 && handler != (ouro_signal_handler)1)
    __ouro_limit("a signal handler");
  int before = known[number] ? ignored[number] : __ouro_choice_bool("signal");
  known[number] = 1;
  ignored[number] = handler == (ouro_signal_handler)1;
  return before ? (ouro_signal_handler)1 : (ouro_signal_handler)0;
}

// audit: signal: fails yes; short no; interrupted no; stores errno; calls back yes
ouro_signal_handler signal(int number, ouro_signal_handler handler) {
  return ouro_set_handler(number, handler);
}

// audit: __sysv_signal: fails yes; short no; interrupted no; stores errno; calls back yes
ouro_signal_handler __sysv_signal(int number, ouro_signal_handler handler) {
  return ouro_set_handler(number, handler);
}

// audit: sigaction: fails yes; short no; interrupted no; stores errno; calls back yes
int sigaction(int number, const void *restrict new, void *restrict old) {
  (void)number;
  (void)new;
  (void)old;
  __ouro_limit("sigaction");
}

// audit: raise: fails yes; short no; interrupted no; stores errno; calls back yes
int raise(int number) {
  (void)number;
  __ouro_limit("raise: a signal arrives");
}

// audit: kill: fails yes; short no; interrupted no; stores errno; calls back yes
int kill(int process, int number) {
  (void)process;
  (void)number;
  __ouro_limit("kill: a signal arrives");
}

// audit: htonl: fails no; short no; interrupted no; stores no; calls back no
// Both kinds of processors that the library is compiled for have the low byte first.
uint32_t htonl(uint32_t value) {
  return __builtin_bswap32(value);
}

// audit: ntohl: fails no; short no; interrupted no; stores no; calls back no
uint32_t ntohl(uint32_t value) {
  return __builtin_bswap32(value);
}

// audit: htons: fails no; short no; interrupted no; stores no; calls back no
uint16_t htons(uint16_t value) {
  return __builtin_bswap16(value);
}

// audit: ntohs: fails no; short no; interrupted no; stores no; calls back no
uint16_t ntohs(uint16_t value) {
  return __builtin_bswap16(value);
}
