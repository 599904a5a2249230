// Descriptors: which of them are open, for what, and where in their file they are.
//
// Those that the program opened are known. Of others nothing is, since it may have been started with them;
// what is not open refuses everything.
#include "ouro.h"

static struct ouro_descriptor *ouro_descriptors;

// How many the program has open, streams included. Each has a number of its own, so there is an end to it.
static int ouro_open_count;
#define OURO_MOST_OPEN (INT_MAX - 3)

// Whether nobody can say which number is given next: streams take numbers that are not in the list, and a
// descriptor may have been closed that is not.
static int ouro_unordered;

struct ouro_descriptor *ouro_find_descriptor(int number) {
  for (struct ouro_descriptor *found = ouro_descriptors; found != 0; found = found->next)
    if (found->number == number)
      return found;
  return 0;
}

int ouro_refuses(int number, int access) {
  if (number < 0)
    return 1;
  if (number < 3)
    return ouro_closed[number];
  const struct ouro_descriptor *found = ouro_find_descriptor(number);
  return found != 0 && (!found->is_open || (access >= 0 && found->access < 2 && access != found->access));
}

void ouro_count_stream(void) {
  ouro_open_count++;
  __ouro_assume(ouro_open_count < OURO_MOST_OPEN);
  ouro_unordered = 1;
}

// The least number that is free is given; that of a descriptor that was closed was the least before.
static struct ouro_descriptor *ouro_least_closed(void) {
  struct ouro_descriptor *least = 0;
  for (struct ouro_descriptor *found = ouro_descriptors; found != 0; found = found->next)
    if (!found->is_open && (least == 0 || found->number < least->number))
      least = found;
  return least;
}

static struct ouro_descriptor *ouro_add_descriptor(int number) {
  __ouro_assume(number >= 3);
  struct ouro_descriptor *made = __ouro_allocate(sizeof *made);
  made->number = number;
  made->is_open = 0;
  made->next = ouro_descriptors;
  ouro_descriptors = made;
  return made;
}

static int ouro_begin(struct ouro_descriptor *given, int chosen, int access, int located) {
  if (given == 0)
    given = ouro_find_descriptor(chosen);
  if (given == 0)
    given = ouro_add_descriptor(chosen);
  __ouro_assume(!given->is_open);
  given->is_open = 1;
  given->access = access;
  given->located = located;
  given->position = 0;
  return given->number;
}

int ouro_give_descriptor(int chosen, int access) {
  ouro_open_count++;
  __ouro_assume(ouro_open_count < OURO_MOST_OPEN);
  return ouro_begin(ouro_unordered ? 0 : ouro_least_closed(), chosen, access, 1);
}

int ouro_number_stream(int chosen, int access) {
  return ouro_begin(0, chosen, access, 0);
}

void ouro_close_descriptor(int number) {
  struct ouro_descriptor *found = number == 0 ? 0 : ouro_find_descriptor(number);
  if (found == 0)
    ouro_unordered = 1;
  else
    found->is_open = 0;
  if (found != 0 || number == 0)
    ouro_open_count--;
}

void ouro_move_descriptor(int number) {
  struct ouro_descriptor *found = ouro_find_descriptor(number);
  if (found != 0)
    found->located = 0;
}
