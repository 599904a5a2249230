// `scanf` and `fscanf`, and what they share with `sscanf`: reading the format.
//
// The input is not parsed character by character: the result is a choice, and each conversion that
// it says succeeded stores a choice. What that says about the character after it is noted in the
// stream, and later reads keep to it: as flags, or as the character itself, chosen and given back.
//
// All that glibc does is possible here, and nothing else but for what is said: how many characters a
// number or white space had is not known.
#include "ouro.h"

// Reads the length modifier and sets the size of an integer.
static const char *ouro_read_size(const char *format, size_t *size, int *longs) {
  *longs = 0;
  *size = sizeof(int);
  switch (*format) {
  case 'h':
    *size = format[1] == 'h' ? sizeof(char) : sizeof(short);
    return format + (format[1] == 'h' ? 2 : 1);
  case 'l':
    *longs = format[1] == 'l' ? 2 : 1;
    *size = format[1] == 'l' ? sizeof(long long) : sizeof(long);
    return format + *longs;
  case 'L':
  case 'q':
    *longs = 2;
    *size = sizeof(long long);
    return format + 1;
  case 'j':
    *size = sizeof(intmax_t);
    return format + 1;
  case 'z':
    *size = sizeof(size_t);
    return format + 1;
  case 't':
    *size = sizeof(ptrdiff_t);
    return format + 1;
  default:
    return format;
  }
}

// A `]` that comes first belongs to the set.
static const char *ouro_read_set(const char *format, struct ouro_directive *directive) {
  if (*format == '^') {
    directive->inverted = 1;
    format++;
  }
  directive->set = format;
  size_t i = 0;
  while (format[i] != 0 && (format[i] != ']' || i == 0))
    i++;
  if (format[i] == 0)
    __ouro_undefined("a scanf format with [ but no ]");
  directive->set_length = i;
  return format + i + 1;
}

// As with glibc, a `-` means all from the one before it up to the one after it, which counts by itself and
// may begin the next range; first, last or between two that descend, it means itself.
int ouro_is_in_set(const struct ouro_directive *directive, unsigned char character) {
  const unsigned char *set = (const unsigned char *)directive->set;
  int found = 0;
  for (size_t i = 0; i < directive->set_length; i++) {
    if (set[i] == '-' && i > 0 && i + 1 < directive->set_length && set[i - 1] <= set[i + 1])
      found |= (set[i - 1] <= character) & (character < set[i + 1]);
    else
      found |= character == set[i];
  }
  return found ^ directive->inverted;
}

const char *ouro_read_directive(const char *format, struct ouro_directive *directive) {
  *directive = (struct ouro_directive){0, 0, 0, 0, 0, 0, 0, 0};
  if (*format == 0)
    return format;
  if (ouro_is_space((unsigned char)*format)) {
    directive->kind = ' ';
    return format + 1;
  }
  if (*format != '%') {
    directive->kind = '=';
    directive->character = *format;
    return format + 1;
  }
  format++;
  if (*format == '*') {
    directive->suppressed = 1;
    format++;
  }
  for (; (unsigned)*format - '0' < 10u; format++)
    directive->width = 10 * directive->width + (size_t)(*format - '0');
  int longs;
  format = ouro_read_size(format, &directive->size, &longs);
  directive->kind = *format;
  switch (*format) {
  case 'd':
  case 'i':
  case 'u':
  case 'o':
  case 'x':
  case 'n':
    return format + 1;
  case '%':
    directive->character = '%';
    return format + 1;
  case 'X':
    directive->kind = 'x';
    return format + 1;
  case 'a':
  case 'e':
  case 'f':
  case 'g':
  case 'A':
  case 'E':
  case 'F':
  case 'G':
    directive->kind = 'f';
    directive->size = longs == 0 ? sizeof(float) : longs == 1 ? sizeof(double) : sizeof(long double);
    return format + 1;
  case 's':
  case 'c':
  case '[':
    if (longs != 0)
      __ouro_limit("scanf into wide characters");
    format++;
    return directive->kind == '[' ? ouro_read_set(format, directive) : format;
  default:
    __ouro_limit("an unusual conversion in a scanf format");
  }
}

void ouro_store_integer(void *target, size_t size, unsigned long long value) {
  if (size == sizeof(int))
    *(unsigned int *)target = (unsigned int)value;
  else if (size == sizeof(long long))
    *(unsigned long long *)target = value;
  else if (size == sizeof(short))
    *(unsigned short *)target = (unsigned short)value;
  else
    *(unsigned char *)target = (unsigned char)value;
}

// An integer of at most `width` characters, sign included: greater than -base^(width-1), less than
// base^width. `%i` may spend two of them on `0x`, which gains nothing up to 11.
static void ouro_choose_narrow(const struct ouro_directive *directive, void *target) {
  long long base = directive->kind == 'x' ? 16 : directive->kind == 'o' ? 8 : 10;
  long long power = 1;
  for (size_t i = 1; i < directive->width; i++)
    power *= base;
  long long value = __ouro_choice_longlong("scanf");
  __ouro_assume(value > -power);
  __ouro_assume(value < power * base);
  ouro_store_integer(target, directive->size, (unsigned long long)value);
}

static void ouro_choose_integer(const struct ouro_directive *directive, void *target) {
  size_t widest = directive->kind == 'x' ? 15 : directive->kind == 'i' ? 11 : 18;
  if (directive->width != 0 && directive->width <= widest)
    ouro_choose_narrow(directive, target);
  else if (directive->size == sizeof(int) && directive->kind == 'd')
    *(int *)target = __ouro_choice_int("scanf");
  else if (directive->size == sizeof(int))
    *(unsigned *)target = __ouro_choice_uint("scanf");
  else if (directive->size == sizeof(long long) && directive->kind == 'd')
    *(long long *)target = __ouro_choice_longlong("scanf");
  else if (directive->size == sizeof(long long))
    *(unsigned long long *)target = __ouro_choice_ulonglong("scanf");
  else if (directive->size == sizeof(short))
    *(short *)target = __ouro_choice_short("scanf");
  else
    *(char *)target = __ouro_choice_char("scanf");
}

// Whether the value is finite: behind `inf` and `nan` there may be a digit.
static int ouro_choose_real(const struct ouro_directive *directive, void *target) {
  if (directive->width != 0)
    __ouro_limit("scanf of a floating number with a width");
  if (directive->size == sizeof(float)) {
    float value = __ouro_choice_float("scanf");
    *(float *)target = value;
    return value - value == 0;
  }
  if (directive->size == sizeof(double)) {
    double value = __ouro_choice_double("scanf");
    *(double *)target = value;
    return value - value == 0;
  }
  __ouro_limit("scanf into a long double");
}

// How far the run of one call has come.
struct ouro_progress {
  FILE *stream;
  int result;    // what the call returns
  int done;      // conversions that stored something
  size_t passed; // characters read, at least
  int exact;     // whether there were not more
};

static int ouro_begins_number(const struct ouro_directive *directive, int character) {
  int is_special = directive->kind == 'f' && ((character | 32) == 'i' || (character | 32) == 'n');
  int is_hexadecimal = directive->kind == 'x' && (character | 32) >= 'a' && (character | 32) <= 'f';
  return (character >= '0' && character <= '9') || character == '+' || character == '-' ||
         character == '.' || is_special || is_hexadecimal;
}

// White space before a conversion or after a space of the format. A character that was given back is
// known.
static void ouro_pass_space(struct ouro_progress *progress) {
  FILE *stream = progress->stream;
  if (stream->pushed) {
    if (!ouro_is_space(stream->pushed - 1))
      return;
    stream->pushed = 0;
    progress->passed++;
  }
  if (stream->next & OURO_NO_SPACE)
    return;
  progress->exact = 0;
  stream->next = OURO_NO_SPACE;
}

// Takes a known character from the stream.
static void ouro_pass_character(struct ouro_progress *progress, int character) {
  FILE *stream = progress->stream;
  if (stream->pushed)
    __ouro_assume(stream->pushed - 1 == character);
  else
    ouro_follow(stream, character);
  stream->pushed = 0;
  stream->next = 0;
  progress->passed++;
}

// Chooses the next character, which is looked at and not taken; EOF if the stream ends there. Nothing
// before it was converted or `result` is greater than 0, so it cannot be EOF if the result is 0.
static int ouro_look_ahead(FILE *stream, int least, int chosen) {
  int character = ouro_within(chosen, least, 255);
  ouro_follow(stream, character);
  if (character < 0)
    ouro_stop(stream);
  else
    stream->pushed = character + 1;
  return character;
}

static int ouro_ahead(FILE *stream, int least) {
  if (stream->pushed)
    return stream->pushed - 1;
  return ouro_look_ahead(stream, least, __ouro_choice_int("scanf"));
}

static int ouro_is_of_text(const struct ouro_directive *directive, unsigned char character) {
  return directive->kind == 's' ? !ouro_is_space(character) : ouro_is_in_set(directive, character);
}

// Without a width, a text that the object has no room for is undefined. It ends where it has its width or
// where something follows that does not belong to it.
static void ouro_choose_text(const struct ouro_directive *directive, struct ouro_progress *progress,
                             char *target) {
  FILE *stream = progress->stream;
  size_t longest = directive->width != 0 ? directive->width : INT_MAX;
  size_t length = __ouro_choice_size("scanf");
  __ouro_assume(length >= 1);
  __ouro_assume(length <= longest);
  if (directive->width == 0 && !directive->suppressed && length >= __ouro_object_size(target))
    __ouro_undefined("a text that scanf has no room for");
  if (directive->suppressed) {
    // Nobody sees the text.
    progress->exact = 0;
    stream->pushed = 0;
    stream->next = 0;
  } else {
    for (size_t i = 0; i < length; i++) {
      unsigned char character = __ouro_choice_uchar("scanf");
      __ouro_assume(ouro_is_of_text(directive, character));
      if (i == 0)
        ouro_pass_character(progress, character);
      target[i] = (char)character;
    }
    target[length] = 0;
    progress->passed += length - 1;
  }
  if (directive->width != 0 && length == directive->width)
    return;
  if (directive->kind == 's') {
    stream->next = OURO_SPACE;
    return;
  }
  int after = ouro_ahead(stream, EOF);
  if (after >= 0)
    __ouro_assume(!ouro_is_in_set(directive, (unsigned char)after));
}

// As many characters as the width says, or fewer at the end of the stream: glibc takes those, too.
static void ouro_choose_characters(const struct ouro_directive *directive,
                                   struct ouro_progress *progress, unsigned char *target) {
  size_t wanted = directive->width != 0 ? directive->width : 1;
  size_t count = wanted;
  if (wanted > 1) {
    count = __ouro_choice_size("scanf");
    __ouro_assume(count >= 1);
    __ouro_assume(count <= wanted);
  }
  for (size_t i = 0; i < count; i++) {
    unsigned char character = __ouro_choice_uchar("scanf");
    if (i == 0)
      ouro_pass_character(progress, character);
    else
      progress->passed++;
    if (!directive->suppressed)
      target[i] = character;
  }
  if (count < wanted)
    ouro_stop(progress->stream);
}

// What cannot follow a number: a digit of its base. `%i` chooses the base by the first digits.
static int ouro_after_number(const struct ouro_directive *directive) {
  switch (directive->kind) {
  case 'o':
  case 'i':
    return OURO_NO_OCTAL;
  case 'x':
    return OURO_NO_DIGIT | OURO_NO_HEX;
  default:
    return OURO_NO_DIGIT;
  }
}

static void ouro_choose_number(const struct ouro_directive *directive,
                               struct ouro_progress *progress, void *target) {
  FILE *stream = progress->stream;
  double unseen;
  if (stream->pushed) {
    __ouro_assume(ouro_begins_number(directive, stream->pushed - 1));
    __ouro_limit("scanf of a number whose first character was given back");
  }
  int next = ouro_after_number(directive);
  if (directive->kind == 'f')
    next = ouro_choose_real(directive, directive->suppressed ? &unseen : target) ? OURO_NO_DIGIT : 0;
  else if (!directive->suppressed)
    ouro_choose_integer(directive, target);
  ouro_consume(&stream->extent, 1);
  progress->passed++;
  progress->exact = directive->width == 1 && progress->exact;
  stream->next = OURO_SEEN | (directive->width == 0 ? next : 0);
}

static void ouro_succeed(const struct ouro_directive *directive, struct ouro_progress *progress,
                         void *target) {
  switch (directive->kind) {
  case '=':
  case '%':
    ouro_pass_character(progress, (unsigned char)directive->character);
    return;
  case 's':
  case '[':
    ouro_choose_text(directive, progress, target);
    return;
  case 'c':
    ouro_choose_characters(directive, progress, target);
    return;
  default:
    ouro_choose_number(directive, progress, target);
  }
}

// A directive without success. If the stream ended, the result is EOF before the first conversion that
// stores, and the number of those before otherwise.
static void ouro_mismatch(const struct ouro_directive *directive, struct ouro_progress *progress) {
  FILE *stream = progress->stream;
  int kind = directive->kind;
  if (progress->result < 0 || kind == 's' || kind == 'c') {
    // Only the end stops it.
    __ouro_assume(progress->result != 0);
    __ouro_assume(stream->pushed == 0);
    __ouro_assume((stream->next & OURO_NO_END) == 0);
    ouro_stop(stream);
    return;
  }
  int least = progress->result == 0 ? 0 : EOF;
  if (kind == '=' || kind == '%') {
    __ouro_assume(ouro_ahead(stream, least) != (unsigned char)directive->character);
    return;
  }
  if (kind == '[') {
    int after = ouro_ahead(stream, least);
    if (after >= 0)
      __ouro_assume(!ouro_is_in_set(directive, (unsigned char)after));
    return;
  }
  if (stream->pushed) {
    if (ouro_begins_number(directive, stream->pushed - 1))
      __ouro_limit("scanf of a number whose first character was given back");
    return;
  }
  // A sign may have been taken before the character that did not fit, and of `infinite` and its like
  // that character as well.
  if (progress->result == 0)
    ouro_has_more(&stream->extent);
  progress->exact = 0;
  int is_open = kind == 'f' || directive->width == 1;
  int next = kind == 'i' ? OURO_NO_DIGIT : ouro_after_number(directive);
  stream->next = OURO_SEEN | (is_open ? 0 : next);
}

// What is known of a format before anything is read.
struct ouro_outline {
  int count;   // conversions that store something
  char first;  // the first directive that needs a character; 0: none
  int assigns; // whether that is a conversion that stores
};

static struct ouro_outline ouro_read_outline(const char *format) {
  struct ouro_outline outline = {0, 0, 0};
  struct ouro_directive directive;
  for (;;) {
    format = ouro_read_directive(format, &directive);
    char kind = directive.kind;
    if (kind == 0)
      return outline;
    if (kind == ' ' || kind == 'n')
      continue;
    int assigns = kind != '=' && kind != '%' && !directive.suppressed;
    if (outline.first == 0) {
      outline.first = kind;
      outline.assigns = assigns;
    }
    outline.count += assigns;
  }
}

// The result, chosen as far as it is not known: without a directive that needs a character there is no
// EOF, and none if a character is there that the first one takes or refuses.
static int ouro_choose_result(FILE *stream, const struct ouro_outline *outline) {
  if (outline->first == 0)
    return 0;
  if (stream->end && !stream->pushed)
    return EOF;
  int skips = outline->first != 'c' && outline->first != '[' && outline->first != '=';
  int result = OURO_CHOOSE("scanf", EOF, outline->count);
  int is_there = (stream->next & OURO_NO_END) && (!skips || (stream->next & OURO_NO_SPACE));
  if (is_there && outline->assigns)
    __ouro_assume(result >= 0);
  return result;
}

// The number of characters read so far.
static void ouro_store_passed(const struct ouro_directive *directive, struct ouro_progress *progress,
                              void *target) {
  if (!progress->exact) {
    int more = __ouro_unknown_int("how many characters scanf has read");
    progress->passed += (unsigned)more & 0x3fffffff;
  }
  ouro_store_integer(target, directive->size, progress->passed);
}

static int ouro_scan(FILE *stream, const char *format, va_list arguments) {
  ouro_check_readable(stream);
  if (stream->unreadable)
    __ouro_limit("scanf from a stream for writing");
  struct ouro_outline outline = ouro_read_outline(format);
  struct ouro_progress progress = {stream, 0, 0, 0, 1};
  progress.result = ouro_choose_result(stream, &outline);
  struct ouro_directive directive;
  for (;;) {
    format = ouro_read_directive(format, &directive);
    char kind = directive.kind;
    if (kind == 0) {
      // All succeeded; of a stream that ended, something did not.
      __ouro_assume(progress.result >= 0);
      return progress.result;
    }
    if (kind != 'c' && kind != '[' && kind != '=' && kind != 'n')
      ouro_pass_space(&progress);
    if (kind == ' ')
      continue;
    if (kind == 'n') {
      if (!directive.suppressed)
        ouro_store_passed(&directive, &progress, va_arg(arguments, void *));
      continue;
    }
    int assigns = kind != '=' && kind != '%' && !directive.suppressed;
    // Something that stores is still to come, or this is the one that does not; in between, anything
    // may fail.
    if (progress.done >= progress.result && (assigns || __ouro_choice_bool("scanf"))) {
      ouro_mismatch(&directive, &progress);
      return progress.result;
    }
    ouro_succeed(&directive, &progress, assigns ? va_arg(arguments, void *) : 0);
    progress.done += assigns;
  }
}

#define OURO_SCANF(public)                                                                         \
  int public(const char *restrict format, ...) {                                                   \
    va_list arguments;                                                                             \
    va_start(arguments, format);                                                                   \
    int result = ouro_scan(stdin, format, arguments);                                        \
    va_end(arguments);                                                                             \
    return result;                                                                                 \
  }
#define OURO_FSCANF(public)                                                                        \
  int public(FILE *restrict stream, const char *restrict format, ...) {                            \
    va_list arguments;                                                                             \
    va_start(arguments, format);                                                                   \
    int result = ouro_scan(stream, format, arguments);                                       \
    va_end(arguments);                                                                             \
    return result;                                                                                 \
  }
#define OURO_VSCANF(public)                                                                        \
  int public(const char *restrict format, va_list arguments) {                                     \
    return ouro_scan(stdin, format, arguments);                                              \
  }
#define OURO_VFSCANF(public)                                                                       \
  int public(FILE *restrict stream, const char *restrict format, va_list arguments) {              \
    return ouro_scan(stream, format, arguments);                                             \
  }

// glibc gives the functions of later standards names of their own.
// audit: scanf, __isoc99_scanf, __isoc23_scanf, fscanf, __isoc99_fscanf, __isoc23_fscanf, vscanf, __isoc99_vscanf, __isoc23_vscanf, vfscanf, __isoc99_vfscanf, __isoc23_vfscanf: fails yes; short yes; interrupted yes; stores its conversions, errno; calls back no
OURO_SCANF(scanf)
OURO_SCANF(__isoc99_scanf)
OURO_SCANF(__isoc23_scanf)
OURO_FSCANF(fscanf)
OURO_FSCANF(__isoc99_fscanf)
OURO_FSCANF(__isoc23_fscanf)
OURO_VSCANF(vscanf)
OURO_VSCANF(__isoc99_vscanf)
OURO_VSCANF(__isoc23_vscanf)
OURO_VFSCANF(vfscanf)
OURO_VFSCANF(__isoc99_vfscanf)
OURO_VFSCANF(__isoc23_vfscanf)
