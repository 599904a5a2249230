// <errno.h>
//
// Output whose result nobody looks at may fail as well, and shows here. Whether it did is not chosen
// before the program looks, so that printing costs no choice.
#include "ouro.h"
#undef ouro_errno

int ouro_errno;
int ouro_errno_is_open;
static int ouro_errno_is_kept; // whether the program may look without asking again

static void ouro_choose_errno(void) {
  ouro_errno_is_open = 0;
  if (__ouro_output_fails("an earlier output"))
    ouro_fail_output();
}

// audit: __errno_location: fails no; short no; interrupted no; stores no; calls back no
int *__errno_location(void) {
  if (__ouro_result_stored())
    ouro_errno_is_open = 0;
  if (ouro_errno_is_open)
    ouro_choose_errno();
  if (__ouro_result_kept())
    ouro_errno_is_kept = 1;
  return &ouro_errno;
}

void ouro_output_unseen(void) {
  ouro_errno_is_open = 1;
  if (ouro_errno_is_kept)
    ouro_choose_errno();
}

int ouro_within(int chosen, int least, int greatest) {
  __ouro_assume(chosen >= least);
  __ouro_assume(chosen <= greatest);
  return chosen;
}

void ouro_fail_if(int condition, int number) {
  ouro_errno_is_open &= condition - 1;
  ouro_errno = (ouro_errno & (condition - 1)) | (number & -condition);
}

// Linux numbers its errors from 1 to 133.
void ouro_fail(void) {
  ouro_errno_is_open = 0;
  ouro_errno = OURO_CHOOSE("errno", 1, 133);
}

void ouro_fail_output(void) {
  ouro_fail();
  if (ouro_errno == OURO_EINTR && __ouro_unknown_bool("whether output goes on being interrupted"))
    ouro_errno = OURO_EIO;
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
