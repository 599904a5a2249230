// <errno.h>
#include "ouro.h"

int ouro_errno;

// audit: __errno_location: fails no; short no; interrupted no; stores no; calls back no
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

void ouro_tolerate(int happens) {
  if (happens && __ouro_unknown_bool("something that C allows and no known system does"))
    __ouro_exit(0);
}

void ouro_write_unknown(char *text, size_t size) {
  for (size_t i = 0; i < size - 1; i++)
    text[i] = (char)__ouro_unknown_uchar("a text that the implementation chooses");
  text[size - 1] = 0;
}
