// <errno.h>
#include "ouro.h"

int ouro_errno;

int *__errno_location(void) {
  return &ouro_errno;
}

int ouro_within(int chosen, int least, int greatest) {
  __ouro_assume(chosen >= least);
  __ouro_assume(chosen <= greatest);
  return chosen;
}

// Linux numbers its errors from 1 to 133.
void ouro_fail(void) {
  ouro_errno = OURO_CHOOSE("errno", 1, 133);
}

int ouro_result(int chosen) {
  int result = ouro_within(chosen, -1, 0);
  if (result < 0)
    ouro_fail();
  return result;
}
