// <errno.h>
//
// Output whose result nobody looks at may fail as well, and shows here. Whether it did is not chosen
// before the program looks, so that printing costs no choice.
#include "ouro.h"
#undef ouro_errno

int ouro_errno;
int ouro_errno_is_open;
#define OURO_OPEN_OUTPUT 1
#define OURO_OPEN_MATHEMATICS 2
#define OURO_OPEN_ELSEWHERE 4
#define OURO_OF_MATHEMATICS "whether a mathematical function has set errno"
static int ouro_errno_is_kept; // whether the program may look without asking again

static void ouro_choose_errno(void) {
  int is_of_output = ouro_errno_is_open & OURO_OPEN_OUTPUT;
  int is_of_mathematics = ouro_errno_is_open & OURO_OPEN_MATHEMATICS;
  int is_of_elsewhere = ouro_errno_is_open & OURO_OPEN_ELSEWHERE;
  ouro_errno_is_open = 0;
  if (is_of_output && __ouro_output_fails("an earlier output"))
    ouro_fail();
  if (is_of_mathematics && __ouro_unknown_bool(OURO_OF_MATHEMATICS))
    ouro_errno = OURO_EDOM + __ouro_unknown_bool(OURO_OF_MATHEMATICS);
  if (is_of_elsewhere)
    ouro_errno = (int)__ouro_unknown_uint("whether a function without a body has set errno");
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

static void ouro_leave_open(int what) {
  ouro_errno_is_open |= what;
  if (ouro_errno_is_kept)
    ouro_choose_errno();
}

void ouro_output_unseen(void) {
  ouro_leave_open(OURO_OPEN_OUTPUT);
}

// The front end calls it where the program calls a mathematical function that has no model.
void ouro_mathematics(void) {
  ouro_leave_open(OURO_OPEN_MATHEMATICS);
}

// And where it calls a function without a body, if that may set it.
void ouro_elsewhere(void) {
  ouro_leave_open(OURO_OPEN_ELSEWHERE);
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
void ouro_fail_with(int chosen) {
  ouro_errno_is_open = 0;
  ouro_errno = ouro_within(chosen, 1, 133);
  if (ouro_errno == OURO_EINTR && __ouro_unknown_bool("whether calls go on being interrupted"))
    ouro_errno = OURO_EIO;
}

void ouro_fail(void) {
  ouro_fail_with(__ouro_choice_int("errno"));
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
