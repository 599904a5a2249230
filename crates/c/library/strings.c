// The rest of <string.h> and <strings.h>: sets of characters, splitting, duplicating, bits.
#include "ouro.h"

static int ouro_contains(const char *set, char character) {
  for (size_t i = 0; set[i] != 0; i++)
    if (set[i] == character)
      return 1;
  return 0;
}

// The number of characters at the start that are (`in` is 1) or are not (0) in the set.
static size_t ouro_span(const char *string, const char *set, int in) {
  size_t i = 0;
  while (string[i] != 0 && ouro_contains(set, string[i]) == in)
    i++;
  return i;
}

// audit: strspn: fails no; short no; interrupted no; stores no; calls back no
size_t strspn(const char *string, const char *set) {
  return ouro_span(string, set, 1);
}

// audit: strcspn: fails no; short no; interrupted no; stores no; calls back no
size_t strcspn(const char *string, const char *set) {
  return ouro_span(string, set, 0);
}

// audit: strpbrk: fails no; short no; interrupted no; stores no; calls back no
char *strpbrk(const char *string, const char *set) {
  string += ouro_span(string, set, 0);
  return *string == 0 ? 0 : (char *)string;
}

static char *ouro_token(char *string, const char *separators, char **rest) {
  if (string == 0)
    string = *rest;
  if (string == 0)
    __ouro_undefined("a call of strtok without a string before it was given one");
  string += ouro_span(string, separators, 1);
  char *end = string + ouro_span(string, separators, 0);
  int empty = *string == 0;
  *rest = end;
  if (*end != 0) {
    *end = 0;
    *rest = end + 1;
  }
  return empty ? 0 : string;
}

// audit: strtok_r: fails no; short no; interrupted no; stores the text, the rest; calls back no
char *strtok_r(char *restrict string, const char *restrict separators, char **restrict rest) {
  return ouro_token(string, separators, rest);
}

// audit: __strtok_r: fails no; short no; interrupted no; stores the text, the rest; calls back no
char *__strtok_r(char *restrict string, const char *restrict separators, char **restrict rest) {
  return ouro_token(string, separators, rest);
}

// audit: strtok: fails no; short no; interrupted no; stores the text, the rest; calls back no
char *strtok(char *restrict string, const char *restrict separators) {
  static char *ouro_rest;
  return ouro_token(string, separators, &ouro_rest);
}

// audit: strsep: fails no; short no; interrupted no; stores the text, the rest; calls back no
char *strsep(char **restrict rest, const char *restrict separators) {
  char *string = *rest;
  if (string == 0)
    return 0;
  char *end = string + ouro_span(string, separators, 0);
  *rest = 0;
  if (*end != 0) {
    *end = 0;
    *rest = end + 1;
  }
  return string;
}

static char *ouro_duplicate(const char *string, size_t length, int fails) {
  if (fails) {
    ouro_errno = OURO_ENOMEM;
    return 0;
  }
  char *copy = __ouro_allocate(length + 1);
  __builtin_memcpy(copy, string, length);
  copy[length] = 0;
  return copy;
}

// audit: strdup: fails yes; short no; interrupted no; stores errno; calls back no
char *strdup(const char *string) {
  return ouro_duplicate(string, ouro_length(string), __ouro_no_memory("strdup", 0));
}

// audit: __strdup: fails yes; short no; interrupted no; stores errno; calls back no
char *__strdup(const char *string) {
  return ouro_duplicate(string, ouro_length(string), __ouro_no_memory("strdup", 0));
}

// audit: strndup: fails yes; short no; interrupted no; stores errno; calls back no
char *strndup(const char *string, size_t size) {
  size_t length = 0;
  while (length < size && string[length] != 0)
    length++;
  return ouro_duplicate(string, length, __ouro_no_memory("strndup", 0));
}

// Which text belongs to which number is the implementation's affair, and where it is: a later call may
// overwrite it, and need not.
#define OURO_LONGEST_MESSAGE 64

struct ouro_message {
  char text[OURO_LONGEST_MESSAGE];
  int known;
  int number;
};

static char *ouro_find_message(struct ouro_message *message, struct ouro_message *other, int number) {
  if (other->known && number == other->number)
    message = other;
  else if (!(message->known && number == message->number)) {
    if (__ouro_unknown_bool("where the text of an error or signal is"))
      message = other;
    ouro_write_unknown(message->text, sizeof message->text);
  }
  message->known = 1;
  message->number = number;
  return message->text;
}

// audit: strerror: fails no; short no; interrupted no; stores its text; calls back no
char *strerror(int number) {
  static struct ouro_message text;
  static struct ouro_message last;
  return ouro_find_message(&text, &last, number);
}

// audit: strsignal: fails no; short no; interrupted no; stores its text; calls back no
char *strsignal(int number) {
  static struct ouro_message text;
  static struct ouro_message last;
  return ouro_find_message(&text, &last, number);
}

// The number of the lowest one bit, from 1; 0 if there is none.
static int ouro_first_bit(unsigned long long value) {
  return value == 0 ? 0 : __builtin_ctzll(value) + 1;
}

// audit: ffs: fails no; short no; interrupted no; stores no; calls back no
int ffs(int value) {
  return ouro_first_bit((unsigned)value);
}

// audit: ffsl: fails no; short no; interrupted no; stores no; calls back no
int ffsl(long value) {
  return ouro_first_bit((unsigned long)value);
}

// audit: ffsll: fails no; short no; interrupted no; stores no; calls back no
int ffsll(long long value) {
  return ouro_first_bit((unsigned long long)value);
}

// audit: swab: fails no; short no; interrupted no; stores the bytes; calls back no
// Swaps neighbouring bytes, of an even number of them.
void swab(const void *restrict from, void *restrict to, ptrdiff_t size) {
  const char *a = from;
  char *b = to;
  size_t swapped = size > 0 ? (size_t)size & ~(size_t)1 : 0;
  __ouro_apart(to, swapped, from, swapped);
  for (ptrdiff_t i = 1; i < size; i += 2) {
    char first = a[i - 1];
    b[i - 1] = a[i];
    b[i] = first;
  }
}
