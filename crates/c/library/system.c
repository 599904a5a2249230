// Small headers: <locale.h>, <signal.h>, <arpa/inet.h>.
#include "ouro.h"

// The program runs in the C locale; another one may not exist, and is not modelled.
char *setlocale(int category, const char *name) {
  static char locale[] = "C";
  (void)category;
  if (name == 0 || ouro_compare(name, "C") == 0 || ouro_compare(name, "POSIX") == 0)
    return locale;
  return __ouro_choice_bool("setlocale") ? 0 : locale;
}

// No signal arrives: a handler would never run, so installing one is where the model ends.
typedef void (*ouro_signal_handler)(int);

static ouro_signal_handler ouro_set_handler(ouro_signal_handler handler) {
  if (handler != (ouro_signal_handler)0 && handler != (ouro_signal_handler)1)
    __ouro_limit("a signal handler");
  return __ouro_choice_bool("signal") ? (ouro_signal_handler)1 : (ouro_signal_handler)0;
}

ouro_signal_handler signal(int number, ouro_signal_handler handler) {
  (void)number;
  return ouro_set_handler(handler);
}

ouro_signal_handler __sysv_signal(int number, ouro_signal_handler handler) {
  (void)number;
  return ouro_set_handler(handler);
}

int sigaction(int number, const void *restrict new, void *restrict old) {
  (void)number;
  (void)new;
  (void)old;
  __ouro_limit("sigaction");
}

int raise(int number) {
  (void)number;
  __ouro_limit("raise: a signal arrives");
}

int kill(int process, int number) {
  (void)process;
  (void)number;
  __ouro_limit("kill: a signal arrives");
}

// Both kinds of processors that the library is compiled for have the low byte first.
uint32_t htonl(uint32_t value) {
  return __builtin_bswap32(value);
}

uint32_t ntohl(uint32_t value) {
  return __builtin_bswap32(value);
}

uint16_t htons(uint16_t value) {
  return __builtin_bswap16(value);
}

uint16_t ntohs(uint16_t value) {
  return __builtin_bswap16(value);
}
