// <stdio.h>: the standard streams and reading from streams. Output is in print.c, `scanf` in
// scanf.c, `sscanf` in sscanf.c, files in file.c.
//
// What is read is chosen by the environment, with the rules that bind it: once the end is reached,
// a stream stays at its end (C11 7.21.7.1) until the program clears that; after a failure, which
// also reads as EOF, the next read may succeed.
#include "ouro.h"

static const char ouro_somewhere;
#define OURO_HIDDEN {[0 ... OURO_SHOWN - 1] = &ouro_somewhere}
const char *const ouro_hidden[OURO_SHOWN] = OURO_HIDDEN;
static FILE ouro_stdin = {OURO_HIDDEN, .descriptor = 0, .unwritable = 1, .extent = OURO_UNREAD};
static FILE ouro_stdout = {OURO_HIDDEN, .descriptor = 1, .unreadable = 1};
static FILE ouro_stderr = {OURO_HIDDEN, .descriptor = 2, .unreadable = 1, .unbuffered = 1};
FILE *stdin = &ouro_stdin;
FILE *stdout = &ouro_stdout;
FILE *stderr = &ouro_stderr;

void ouro_check_readable(FILE *stream) {
  stream->located = OURO_MOVED;
  if (stream->written)
    __ouro_limit("reading a file that the program itself wrote");
}

static int ouro_is_digit(int character, unsigned base) {
  return (unsigned)character - '0' < base;
}

void ouro_follow(FILE *stream, int character) {
  if (stream->next & OURO_NO_OCTAL) {
    unsigned base = (stream->next & OURO_NO_DIGIT) == OURO_NO_DIGIT ? 10 : 8;
    __ouro_assume(!ouro_is_digit(character, base));
  }
  if (stream->next & OURO_NO_HEX)
    __ouro_assume((unsigned)(character | 32) - 'a' >= 6u);
  if (stream->next & OURO_NO_SPACE)
    __ouro_assume(!ouro_is_space(character));
  if (stream->next & OURO_SPACE)
    __ouro_assume((character < 0) | ouro_is_space(character));
  if (stream->next & OURO_NO_END)
    __ouro_assume(character >= 0);
  if (character >= 0)
    ouro_consume(&stream->extent, 1);
  stream->next = 0;
}

void ouro_stop(FILE *stream) {
  stream->end = ouro_finish(&stream->extent, __ouro_choice_bool("feof"));
  stream->error |= !stream->end;
  stream->next = 0;
  if (!stream->end)
    ouro_fail_with(__ouro_choice_int("errno after reading"));
}

int ouro_is_known(FILE *stream) {
  return stream->pushed | stream->end | stream->unreadable;
}

int ouro_known(FILE *stream) {
  if (stream->unreadable) {
    stream->error = 1;
    ouro_errno = OURO_EBADF;
    return EOF;
  }
  int character = stream->pushed - 1;
  stream->located = OURO_MOVED;
  stream->pushed = 0;
  return character;
}

// Once its descriptor was closed, a stream has no more than what is in its buffer.
static int ouro_is_cut_off(FILE *stream) {
  return stream->descriptor == 0 && ouro_closed[0] &&
         __ouro_unknown_bool("whether something is left to read after the descriptor was closed");
}

int ouro_accept(FILE *stream, int chosen) {
  ouro_check_readable(stream);
  if (ouro_is_cut_off(stream)) {
    stream->error = 1;
    ouro_errno = OURO_EBADF;
    return EOF;
  }
  int character = ouro_within(chosen, EOF, 255);
  ouro_follow(stream, character);
  if (character < 0)
    ouro_stop(stream);
  return character;
}

// audit: getchar, getchar_unlocked, getc, getc_unlocked, _IO_getc, fgetc, fgetc_unlocked: fails yes; short no; interrupted yes; stores errno; calls back no
int getchar(void) {
  return OURO_NEXT(stdin, "getchar");
}

int getchar_unlocked(void) {
  return OURO_NEXT(stdin, "getchar");
}

int getc(FILE *stream) {
  return OURO_NEXT(stream, "getc");
}

int getc_unlocked(FILE *stream) {
  return OURO_NEXT(stream, "getc");
}

int _IO_getc(FILE *stream) {
  return OURO_NEXT(stream, "getc");
}

int fgetc(FILE *stream) {
  return OURO_NEXT(stream, "fgetc");
}

int fgetc_unlocked(FILE *stream) {
  return OURO_NEXT(stream, "fgetc");
}

// audit: getw: fails yes; short no; interrupted yes; stores no; calls back no
int getw(FILE *stream) {
  (void)stream;
  __ouro_limit("getw");
}

// audit: ungetc: fails yes; short no; interrupted no; stores no; calls back no
// C promises room for one character.
int ungetc(int character, FILE *stream) {
  if (character == EOF)
    return EOF;
  if (stream->unreadable)
    __ouro_limit("ungetc to a stream for writing");
  if (stream->pushed)
    __ouro_limit("a second character given to ungetc");
  stream->pushed = (unsigned char)character + 1;
  stream->located = OURO_MOVED;
  stream->end = 0;
  return (unsigned char)character;
}

// Ends a line at its length `i`. Null if there is nothing to read, or on a failure; glibc's `fgets` returns
// what there is if more may come soon.
static char *ouro_end_line(FILE *stream, char *line, size_t i, int last, int failed_before) {
  int nothing = last == EOF && (i == 0 || stream->error);
  if (nothing && i > 0 && ouro_errno == OURO_EAGAIN &&
      __ouro_unknown_bool("what fgets returns of a line that is not complete yet"))
    nothing = 0;
  stream->error |= failed_before;
  if (nothing)
    return 0;
  line[i] = 0;
  return line;
}

static char *ouro_read_line(char *line, int size, FILE *stream) {
  if (size <= 0)
    return 0;
  int failed_before = stream->error;
  stream->error = 0;
  int character = 0;
  int i = 0;
  for (; i < size - 1 && character != '\n'; i++) {
    character = OURO_NEXT(stream, "fgets");
    if (character == EOF)
      break;
    line[i] = (char)character;
  }
  return ouro_end_line(stream, line, (size_t)i, character, failed_before);
}

// audit: fgets, fgets_unlocked, gets: fails yes; short yes; interrupted yes; stores the line, errno; calls back no
char *fgets(char *restrict line, int size, FILE *restrict stream) {
  return ouro_read_line(line, size, stream);
}

char *fgets_unlocked(char *restrict line, int size, FILE *restrict stream) {
  return ouro_read_line(line, size, stream);
}

// A line that is longer than the object is undefined.
char *gets(char *line) {
  int failed_before = stdin->error;
  stdin->error = 0;
  size_t i = 0;
  int character = OURO_NEXT(stdin, "gets");
  while (character != EOF && character != '\n') {
    line[i++] = (char)character;
    character = OURO_NEXT(stdin, "gets");
  }
  return ouro_end_line(stdin, line, i, character, failed_before);
}

// The number of whole elements read.
static size_t ouro_read_bytes(unsigned char *bytes, size_t size, size_t count, FILE *stream) {
  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < size; j++) {
      int character = OURO_NEXT(stream, "fread");
      if (character == EOF)
        return i;
      bytes[i * size + j] = (unsigned char)character;
    }
  return size == 0 ? 0 : count;
}

// At the end of a stream there is no more, says C; glibc looks again for what is larger than its buffer,
// and the stream counts as ended all the same.
static size_t ouro_read_elements(unsigned char *bytes, size_t size, size_t count, FILE *stream) {
  int again = stream->end && !stream->pushed && __ouro_unknown_bool("whether fread looks again at the end");
  if (again)
    stream->end = 0;
  size_t done = ouro_read_bytes(bytes, size, count, stream);
  stream->end |= again;
  return done;
}

// audit: fread, fread_unlocked: fails yes; short yes; interrupted yes; stores the elements, errno; calls back no
size_t fread(void *restrict elements, size_t size, size_t count, FILE *restrict stream) {
  return ouro_read_elements(elements, size, count, stream);
}

size_t fread_unlocked(void *restrict elements, size_t size, size_t count,
                      FILE *restrict stream) {
  return ouro_read_elements(elements, size, count, stream);
}

// Makes room for `needed` bytes; an allocation may fail.
static int ouro_grow(char **line, size_t *size, size_t needed) {
  if (*line != 0 && *size >= needed)
    return 1;
  if (__ouro_no_memory("getline", 0)) {
    ouro_errno = OURO_ENOMEM;
    return 0;
  }
  size_t larger = needed < 120 ? 120 : 2 * needed;
  char *copy = __ouro_allocate(larger);
  if (*line != 0) {
    __builtin_memcpy(copy, *line, needed < *size ? needed : *size);
    __ouro_free(*line);
  }
  *line = copy;
  *size = larger;
  return 1;
}

static ptrdiff_t ouro_read_until(char **line, size_t *size, int delimiter, FILE *stream) {
  if (line == 0 || size == 0) {
    ouro_errno = OURO_EINVAL;
    return -1;
  }
  size_t i = 0;
  for (int character = -2; character != delimiter; i++) {
    if (!ouro_grow(line, size, i + 2))
      return -1;
    character = OURO_NEXT(stream, "getline");
    if (character == EOF) {
      // After a failure POSIX wants -1, and glibc returns what there is.
      if (i == 0 || (!stream->end && __ouro_unknown_bool("what getline returns after a failure")))
        return -1;
      break;
    }
    (*line)[i] = (char)character;
  }
  (*line)[i] = 0;
  return (ptrdiff_t)i;
}

// audit: getline, getdelim, __getdelim: fails yes; short no; interrupted yes; stores the line, its address and size, errno; calls back no
ptrdiff_t getline(char **restrict line, size_t *restrict size, FILE *restrict stream) {
  return ouro_read_until(line, size, '\n', stream);
}

ptrdiff_t getdelim(char **restrict line, size_t *restrict size, int delimiter,
                   FILE *restrict stream) {
  return ouro_read_until(line, size, (unsigned char)delimiter, stream);
}

ptrdiff_t __getdelim(char **restrict line, size_t *restrict size, int delimiter,
                     FILE *restrict stream) {
  return ouro_read_until(line, size, (unsigned char)delimiter, stream);
}

// `scanf` looks one character ahead; whether that was the end shows only here.
static int ouro_at_end(FILE *stream) {
  if (stream->next != 0 && (stream->next & OURO_NO_END) == 0) {
    stream->end = __ouro_choice_bool("feof");
    if (stream->end)
      stream->end = ouro_finish(&stream->extent, 1);
    stream->next = stream->end ? 0 : stream->next | OURO_NO_END;
  }
  return stream->end;
}

// audit: feof, feof_unlocked: fails no; short no; interrupted no; stores no; calls back no
int feof(FILE *stream) {
  return ouro_at_end(stream);
}

int feof_unlocked(FILE *stream) {
  return ouro_at_end(stream);
}

// Output may have failed before anybody looked: that is chosen here.
static int ouro_error(FILE *stream) {
  int is_stdout = stream->descriptor == 1;
  int unseen = stream->unseen | (is_stdout && ouro_stdout_unseen);
  if (!unseen || stream->error)
    return stream->error;
  stream->unseen = 0;
  if (is_stdout)
    ouro_stdout_unseen = 0;
  int is_closed = stream->descriptor < 3 && ouro_closed[stream->descriptor];
  stream->error = is_closed ? __ouro_unknown_bool("output to a stream after its descriptor was closed")
                            : __ouro_output_fails("an earlier output");
  return stream->error;
}

// audit: ferror, ferror_unlocked: fails no; short no; interrupted no; stores no; calls back no
int ferror(FILE *stream) {
  return ouro_error(stream);
}

int ferror_unlocked(FILE *stream) {
  return ouro_error(stream);
}

// Where the end may have been next, now anything may be.
void ouro_clear_error(FILE *stream) {
  stream->end = 0;
  stream->error = 0;
  if ((stream->next & OURO_NO_END) == 0)
    stream->next = 0;
  stream->unseen = 0;
  if (stream->descriptor == 1)
    ouro_stdout_unseen = 0;
}

// audit: clearerr, clearerr_unlocked: fails no; short no; interrupted no; stores no; calls back no
void clearerr(FILE *stream) {
  ouro_clear_error(stream);
}

void clearerr_unlocked(FILE *stream) {
  ouro_clear_error(stream);
}
