// `scanf` and `fscanf`, and what they share with `sscanf`: reading the format.
//
// The input is not parsed character by character: the result is a choice, and each conversion that
// it says succeeded stores a choice. What that says about the character after it is noted in the
// stream, and later reads keep to it.
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

int ouro_is_in_set(const struct ouro_directive *directive, unsigned char character) {
  int found = 0;
  for (size_t i = 0; i < directive->set_length; i++) {
    unsigned char low = (unsigned char)directive->set[i];
    unsigned char high = low;
    if (i + 2 < directive->set_length && directive->set[i + 1] == '-') {
      high = (unsigned char)directive->set[i + 2];
      i += 2;
    }
    found |= (low <= character) & (character <= high);
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

static void ouro_choose_real(const struct ouro_directive *directive, void *target) {
  if (directive->width != 0)
    __ouro_limit("scanf of a floating number with a width");
  if (directive->size == sizeof(float))
    *(float *)target = __ouro_choice_float("scanf");
  else if (directive->size == sizeof(double))
    *(double *)target = __ouro_choice_double("scanf");
  else
    __ouro_limit("scanf into a long double");
}

// A text that fits into the object: a longer one is undefined without a width.
static void ouro_choose_text(const struct ouro_directive *directive, FILE *stream,
                             char *target) {
  size_t longest = directive->width != 0 ? directive->width : __ouro_object_size(target) - 1;
  size_t length = __ouro_choice_size("scanf");
  __ouro_assume(length >= 1);
  __ouro_assume(length <= longest);
  for (size_t i = 0; i < length; i++) {
    unsigned char character = __ouro_choice_uchar("scanf");
    if (directive->kind == 's')
      __ouro_assume(!ouro_is_space(character));
    else
      __ouro_assume(ouro_is_in_set(directive, character));
    // White space before a word is skipped, so the first character need not be the next one.
    if (i == 0 && (directive->kind == '[' || stream->next & OURO_NO_SPACE))
      ouro_follow(stream, character);
    target[i] = (char)character;
  }
  target[length] = 0;
}

static void ouro_choose_characters(const struct ouro_directive *directive, FILE *stream,
                                   unsigned char *target) {
  size_t count = directive->width != 0 ? directive->width : 1;
  for (size_t i = 0; i < count; i++) {
    target[i] = __ouro_choice_uchar("scanf");
    if (i == 0)
      ouro_follow(stream, target[i]);
  }
}

// Stores a choice and notes what follows it in the stream.
static void ouro_convert(const struct ouro_directive *directive, FILE *stream, void *target) {
  int next = 0;
  switch (directive->kind) {
  case 's':
    ouro_choose_text(directive, stream, target);
    next = OURO_SPACE;
    break;
  case '[':
    ouro_choose_text(directive, stream, target);
    break;
  case 'c':
    ouro_choose_characters(directive, stream, target);
    break;
  case 'f':
    ouro_choose_real(directive, target);
    next = OURO_NO_DIGIT;
    break;
  default:
    ouro_choose_integer(directive, target);
    next = OURO_NO_DIGIT;
  }
  stream->next = directive->width == 0 ? next : 0;
}

// A conversion without success; `certain`: it was tried, nothing before it can have failed.
static void ouro_mismatch(const struct ouro_directive *directive, FILE *stream, int first,
                          int certain) {
  int needs_only_input = directive->kind == 's' || directive->kind == 'c';
  stream->next = 0;
  if (!certain || directive->kind == '[')
    return;
  if (needs_only_input) {
    // Only the end stops it, and if that is all there was, the result is EOF.
    __ouro_assume(!first);
    ouro_stop(stream);
  } else {
    stream->next = OURO_NO_DIGIT | OURO_NO_SPACE;
  }
}

static int ouro_count(const char *format) {
  int count = 0;
  struct ouro_directive directive;
  for (;;) {
    format = ouro_read_directive(format, &directive);
    char kind = directive.kind;
    if (kind == 0)
      return count;
    int converts = kind != ' ' && kind != '=' && kind != '%' && kind != 'n';
    count += converts && !directive.suppressed;
  }
}

static int ouro_scan(FILE *stream, const char *format, va_list arguments) {
  if (stream->pushed)
    __ouro_limit("scanf after ungetc");
  if (stream->end)
    return EOF;
  ouro_check_readable(stream);
  int result = OURO_CHOOSE("scanf", EOF, ouro_count(format));
  if ((stream->next & OURO_NO_SPACE) && (stream->next & OURO_NO_END))
    __ouro_assume(result >= 0);
  if (result < 0) {
    ouro_stop(stream);
    return EOF;
  }
  int done = 0;
  int certain = 1;
  struct ouro_directive directive;
  for (;;) {
    format = ouro_read_directive(format, &directive);
    if (directive.kind == 0)
      return result;
    if (directive.kind == ' ') {
      if (!certain)
        stream->next = 0;
      else if ((stream->next & OURO_NO_SPACE) == 0)
        stream->next = OURO_NO_SPACE;
    } else if (directive.kind == 'n') {
      if (!directive.suppressed)
        ouro_store_integer(va_arg(arguments, void *), directive.size,
                           (unsigned)OURO_CHOOSE("scanf", 0, INT_MAX));
    } else if (directive.kind == '=' || directive.kind == '%' || directive.suppressed) {
      certain = 0;
      stream->next = 0;
    } else if (done == result) {
      ouro_mismatch(&directive, stream, done == 0, certain);
      return result;
    } else {
      ouro_convert(&directive, stream, va_arg(arguments, void *));
      certain = 1;
      done++;
    }
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
