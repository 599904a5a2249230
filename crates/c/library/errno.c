// <errno.h>
#include "ouro.h"

int ouro_errno;

int *__errno_location(void) {
  return &ouro_errno;
}

int ouro_choose(const char *name, int least, int greatest) {
  int value = __ouro_choice_int(name);
  __ouro_assume(value >= least);
  __ouro_assume(value <= greatest);
  return value;
}

// Linux numbers its errors from 1 to 133.
void ouro_fail(void) {
  ouro_errno = ouro_choose("errno", 1, 133);
}

int ouro_succeed_or_fail(const char *name) {
  int result = ouro_choose(name, -1, 0);
  if (result < 0)
    ouro_fail();
  return result;
}
