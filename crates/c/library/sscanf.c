// `sscanf`: really parses the string.
//
// Exact for %d %i %u %o %x %c %s %[ %n %% with widths, lengths and `*`; %f and its kin as far as
// `strtod` of this library is. A run is given up where glibc reads a number otherwise than `strtol`
// or `strtod` do: an `0x` without digits, an exponent without digits.
#include "ouro.h"

// What stops the parsing of a string.
enum ouro_outcome { OURO_DONE, OURO_MISMATCH, OURO_NO_INPUT };

struct ouro_source {
  const char *string;
  size_t at;
};

static void ouro_skip_space(struct ouro_source *source) {
  while (ouro_is_space((unsigned char)source->string[source->at]))
    source->at++;
}

// As glibc does, an integer is read as a long (or long long) and cut down to the object's size.
static enum ouro_outcome ouro_scan_integer(struct ouro_source *source,
                                           const struct ouro_directive *directive, void *target) {
  char kind = directive->kind;
  int base = kind == 'x' ? 16 : kind == 'o' ? 8 : kind == 'i' ? 0 : 10;
  size_t width = directive->width != 0 ? directive->width : SIZE_MAX;
  struct ouro_number number = ouro_read_number(source->string + source->at, base, width);
  char after = source->string[source->at + number.length];
  if (number.length == 0)
    return OURO_MISMATCH;
  if (number.magnitude == 0 && (base == 0 || base == 16) && number.length < width &&
      ((after | 32) == 'x' || (after | 32) == 'b'))
    __ouro_limit("sscanf of 0x or 0b without digits after it");
  source->at += number.length;
  if (directive->suppressed)
    return OURO_DONE;
  size_t bits = 8 * (directive->size == sizeof(long long) ? sizeof(long long) : sizeof(long));
  int is_signed = kind == 'd' || kind == 'i';
  unsigned long long value = is_signed ? (unsigned long long)ouro_as_signed(number, bits)
                                       : ouro_as_unsigned(number, bits);
  ouro_store_integer(target, directive->size, value);
  return OURO_DONE;
}

static enum ouro_outcome ouro_scan_real(struct ouro_source *source,
                                        const struct ouro_directive *directive, void *target) {
  if (directive->width != 0)
    __ouro_limit("sscanf of a floating number with a width");
  struct ouro_real real = ouro_read_real(source->string + source->at);
  if (real.kind == OURO_NO_REAL)
    return OURO_MISMATCH;
  source->at += real.length;
  char after = source->string[source->at] | 32;
  if (after == 'e' || after == 'x' || after == 'p' || after == 'i' || after == '(')
    __ouro_limit("sscanf of an unfinished floating number");
  if (directive->suppressed)
    return OURO_DONE;
  if (directive->size == sizeof(float))
    *(float *)target = ouro_as_float(real);
  else if (directive->size == sizeof(double))
    *(double *)target = ouro_as_double(real);
  else
    *(long double *)target = ouro_as_long_double(real);
  return OURO_DONE;
}

static int ouro_belongs(const struct ouro_directive *directive, unsigned char character) {
  if (character == 0)
    return 0;
  return directive->kind == 's' ? !ouro_is_space(character)
                                : ouro_is_in_set(directive, character);
}

static enum ouro_outcome ouro_scan_text(struct ouro_source *source,
                                        const struct ouro_directive *directive, char *target) {
  const char *string = source->string + source->at;
  size_t longest = directive->width != 0 ? directive->width : SIZE_MAX;
  size_t length = 0;
  while (length < longest && ouro_belongs(directive, (unsigned char)string[length]))
    length++;
  if (length == 0)
    return OURO_MISMATCH;
  if (!directive->suppressed) {
    __ouro_apart(target, length + 1, string, length + (length < longest));
    __builtin_memcpy(target, string, length);
    target[length] = 0;
  }
  source->at += length;
  return OURO_DONE;
}

// Fewer characters than asked for are enough for glibc, if there is one.
static enum ouro_outcome ouro_scan_characters(struct ouro_source *source,
                                              const struct ouro_directive *directive,
                                              char *target) {
  const char *string = source->string + source->at;
  size_t count = directive->width != 0 ? directive->width : 1;
  size_t i = 0;
  while (i < count && string[i] != 0)
    i++;
  if (!directive->suppressed) {
    __ouro_apart(target, i, string, i);
    __builtin_memcpy(target, string, i);
  }
  source->at += i;
  return OURO_DONE;
}

static enum ouro_outcome ouro_scan_one(struct ouro_source *source,
                                       const struct ouro_directive *directive, void *target) {
  if (directive->kind != 'c' && directive->kind != '[')
    ouro_skip_space(source);
  if (source->string[source->at] == 0)
    return OURO_NO_INPUT;
  switch (directive->kind) {
  case 'f':
    return ouro_scan_real(source, directive, target);
  case 's':
  case '[':
    return ouro_scan_text(source, directive, target);
  case 'c':
    return ouro_scan_characters(source, directive, target);
  default:
    return ouro_scan_integer(source, directive, target);
  }
}

static int ouro_scan_string(const char *string, const char *format, va_list arguments) {
  struct ouro_source source = {string, 0};
  struct ouro_directive directive;
  int done = 0;
  for (;;) {
    format = ouro_read_directive(format, &directive);
    enum ouro_outcome outcome = OURO_DONE;
    if (directive.kind == 0)
      return done;
    // `%%` skips white space, unlike other characters that have to match.
    if (directive.kind == ' ' || directive.kind == '%')
      ouro_skip_space(&source);
    char next = source.string[source.at];
    if (directive.kind == '=' || directive.kind == '%') {
      outcome = next == 0 ? OURO_NO_INPUT : next == directive.character ? OURO_DONE : OURO_MISMATCH;
      source.at += outcome == OURO_DONE;
    } else if (directive.kind == 'n') {
      if (!directive.suppressed)
        ouro_store_integer(va_arg(arguments, void *), directive.size, source.at);
    } else if (directive.kind != ' ') {
      void *target = directive.suppressed ? 0 : va_arg(arguments, void *);
      outcome = ouro_scan_one(&source, &directive, target);
      done += outcome == OURO_DONE && !directive.suppressed;
    }
    if (outcome == OURO_NO_INPUT && done == 0)
      return EOF;
    if (outcome != OURO_DONE)
      return done;
  }
}

#define OURO_SSCANF(name)                                                                          \
  int name(const char *restrict string, const char *restrict format, ...) {                        \
    va_list arguments;                                                                             \
    va_start(arguments, format);                                                                   \
    int result = ouro_scan_string(string, format, arguments);                                      \
    va_end(arguments);                                                                             \
    return result;                                                                                 \
  }
#define OURO_VSSCANF(name)                                                                         \
  int name(const char *restrict string, const char *restrict format, va_list arguments) {          \
    return ouro_scan_string(string, format, arguments);                                            \
  }

// audit: sscanf, __isoc99_sscanf, __isoc23_sscanf, vsscanf, __isoc99_vsscanf, __isoc23_vsscanf: fails yes; short yes; interrupted no; stores its conversions, errno; calls back no
OURO_SSCANF(sscanf)
OURO_SSCANF(__isoc99_sscanf)
OURO_SSCANF(__isoc23_sscanf)
OURO_VSSCANF(vsscanf)
OURO_VSSCANF(__isoc99_vsscanf)
OURO_VSSCANF(__isoc23_vsscanf)
