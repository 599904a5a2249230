// The writing part of <stdio.h>.
//
// Output may fail, as the environment decides: on a full disk, a pipe that nobody reads, a terminal that
// is gone. A call whose result is used chooses; one whose result nobody looks at only notes that it may
// have failed, and `ferror` and `errno` choose when they are looked at. What is written is not kept.
#include "ouro.h"

int ouro_stdout_unseen;
int ouro_stdout_unflushed;

// Whether output to the stream fails. To one that was opened for reading it always does; after its
// descriptor was closed, that depends on buffers.
static int ouro_stream_fails(FILE *stream, const char *name) {
  if (stream->unwritable)
    return 1;
  if (stream->descriptor < 3 && ouro_closed[stream->descriptor])
    return __ouro_unknown_bool("output to a stream after its descriptor was closed");
  return __ouro_output_fails(name);
}

static void ouro_stream_failed(FILE *stream) {
  stream->error = 1;
  if (stream->unwritable)
    ouro_errno = OURO_EBADF;
  else
    ouro_fail();
}

// The answer to writing: the given result, or that after a failure.
static int ouro_answer(FILE *stream, int result, const char *name) {
  stream->written = 1;
  stream->located = OURO_MOVED;
  stream->unflushed = 1;
  if (!ouro_stream_fails(stream, name))
    return result;
  ouro_stream_failed(stream);
  return EOF;
}

// Notes writing whose result nobody looks at.
static void ouro_unseen(FILE *stream) {
  stream->written = 1;
  stream->located = OURO_MOVED;
  stream->unflushed = 1;
  if (stream->unwritable)
    ouro_stream_failed(stream);
  stream->unseen = 1;
  ouro_output_unseen();
}

// The same for `stdout`, without writing to objects that others know.
static void ouro_stdout_used(void) {
  ouro_stdout_unseen = 1;
  ouro_stdout_unflushed = 1;
  ouro_output_unseen();
}

// The answer to formatted output: where there is nothing to write, only a stream for reading fails.
static int ouro_print_answer(FILE *stream, int length, const char *name) {
  if (length == 0 && !stream->unwritable)
    return 0;
  return ouro_answer(stream, length, name);
}

#define OURO_PRINT_ANSWER(stream, length, name)                                                    \
  if (!__ouro_result_unused())                                                                     \
    return ouro_print_answer(stream, length, name);                                                \
  if (*format != 0 || stream->unwritable)                                                          \
    ouro_unseen(stream);                                                                           \
  return 0

#define OURO_PRINT_ANSWER_STDOUT(length, name)                                                     \
  if (!__ouro_result_unused())                                                                     \
    return ouro_print_answer(stdout, length, name);                                                \
  if (*format != 0)                                                                                \
    ouro_stdout_used();                                                                            \
  return 0

#define OURO_ANSWER(stream, result, name)                                                          \
  if (!__ouro_result_unused())                                                                     \
    return ouro_answer(stream, result, name);                                                      \
  ouro_unseen(stream);                                                                             \
  return 0

#define OURO_ANSWER_STDOUT(result, name)                                                           \
  if (!__ouro_result_unused())                                                                     \
    return ouro_answer(stdout, result, name);                                                      \
  ouro_stdout_used();                                                                              \
  return 0

// audit: printf, vprintf: fails yes; short no; interrupted yes; stores errno; calls back no
int vprintf(const char *restrict format, va_list arguments) {
  int length = __ouro_print(1, format, arguments);
  OURO_PRINT_ANSWER_STDOUT(length, "vprintf");
}

int printf(const char *restrict format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = __ouro_print(1, format, arguments);
  va_end(arguments);
  OURO_PRINT_ANSWER_STDOUT(length, "printf");
}

// audit: fprintf, vfprintf: fails yes; short no; interrupted yes; stores errno; calls back no
int vfprintf(FILE *restrict stream, const char *restrict format, va_list arguments) {
  int length = __ouro_print(stream->descriptor, format, arguments);
  OURO_PRINT_ANSWER(stream, length, "vfprintf");
}

int fprintf(FILE *restrict stream, const char *restrict format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = __ouro_print(stream->descriptor, format, arguments);
  va_end(arguments);
  OURO_PRINT_ANSWER(stream, length, "fprintf");
}

// A descriptor that is not open always fails.
static int ouro_descriptor_answer(int descriptor, int result, const char *name) {
  if (ouro_refuses(descriptor, 1)) {
    ouro_errno = OURO_EBADF;
    return EOF;
  }
  if (result == 0 && !__ouro_unknown_bool("whether dprintf fails with nothing to write"))
    return 0;
  ouro_move_descriptor(descriptor);
  if (result != 0 && !__ouro_output_fails(name))
    return result;
  ouro_fail();
  return EOF;
}

// audit: dprintf, vdprintf: fails yes; short no; interrupted yes; stores errno; calls back no
int vdprintf(int descriptor, const char *restrict format, va_list arguments) {
  int length = __ouro_print(descriptor, format, arguments);
  if (!__ouro_result_unused())
    return ouro_descriptor_answer(descriptor, length, "vdprintf");
  ouro_output_unseen();
  return length;
}

int dprintf(int descriptor, const char *restrict format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = __ouro_print(descriptor, format, arguments);
  va_end(arguments);
  if (!__ouro_result_unused())
    return ouro_descriptor_answer(descriptor, length, "dprintf");
  ouro_output_unseen();
  return length;
}

// audit: snprintf, vsnprintf, sprintf, vsprintf: fails yes; short no; interrupted no; stores its text, %n; calls back no
int vsnprintf(char *restrict buffer, size_t size, const char *restrict format,
              va_list arguments) {
  return __ouro_format(buffer, size, format, arguments);
}

int snprintf(char *restrict buffer, size_t size, const char *restrict format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = __ouro_format(buffer, size, format, arguments);
  va_end(arguments);
  return length;
}

// No text is longer than INT_MAX; one that is longer than the buffer is undefined.
int vsprintf(char *restrict buffer, const char *restrict format, va_list arguments) {
  return __ouro_format(buffer, INT_MAX, format, arguments);
}

int sprintf(char *restrict buffer, const char *restrict format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = __ouro_format(buffer, INT_MAX, format, arguments);
  va_end(arguments);
  return length;
}

// audit: asprintf, vasprintf: fails yes; short no; interrupted no; stores its text, %n; calls back no
static int ouro_print_new(char **result, const char *format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  int length = __ouro_format(0, 0, format, again);
  va_end(again);
  if (length < 0)
    return -1;
  if (__ouro_no_memory("asprintf", 0)) {
    ouro_errno = OURO_ENOMEM;
    return -1;
  }
  size_t size = (size_t)length + 1;
  char *text = __ouro_allocate(size);
  length = __ouro_format(text, size, format, arguments);
  *result = text;
  return length;
}

int vasprintf(char **restrict result, const char *restrict format, va_list arguments) {
  return ouro_print_new(result, format, arguments);
}

int asprintf(char **restrict result, const char *restrict format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = ouro_print_new(result, format, arguments);
  va_end(arguments);
  return length;
}

// Printing a string this way needs no loop to find its end.
static int ouro_say(int descriptor, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = __ouro_print(descriptor, format, arguments);
  va_end(arguments);
  return length;
}

// What these return C does not say, but that it is not negative.
#define OURO_NOT_NEGATIVE (int)(__ouro_unknown_uint("what puts returns when it succeeds") >> 1)

// audit: puts, fputs, fputs_unlocked: fails yes; short no; interrupted yes; stores errno; calls back no
int puts(const char *string) {
  ouro_say(1, "%s\n", string);
  OURO_ANSWER_STDOUT(OURO_NOT_NEGATIVE, "puts");
}

// Writing nothing works on every stream. Where nobody looks at the result, asking whether there is something
// to write would cost a path, and only a stream for reading needs it.
#define OURO_NOTHING_TO_PUT(string, stream)                                                        \
  if ((!__ouro_result_unused() || stream->unwritable) && *string == 0)                             \
  return OURO_NOT_NEGATIVE

int fputs(const char *restrict string, FILE *restrict stream) {
  OURO_NOTHING_TO_PUT(string, stream);
  ouro_say(stream->descriptor, "%s", string);
  OURO_ANSWER(stream, OURO_NOT_NEGATIVE, "fputs");
}

int fputs_unlocked(const char *restrict string, FILE *restrict stream) {
  OURO_NOTHING_TO_PUT(string, stream);
  ouro_say(stream->descriptor, "%s", string);
  OURO_ANSWER(stream, OURO_NOT_NEGATIVE, "fputs");
}

// audit: perror: fails yes; short no; interrupted yes; stores errno; calls back no
void perror(const char *string) {
  if (string != 0 && *string != 0)
    ouro_say(2, "%s: error\n", string);
  else
    ouro_say(2, "error\n");
  ouro_unseen(stderr);
}

static int ouro_put(int character, int descriptor) {
  unsigned char byte = (unsigned char)character;
  __ouro_write(descriptor, &byte, 1);
  return byte;
}

// audit: putchar, putchar_unlocked, putc, putc_unlocked, fputc, fputc_unlocked, _IO_putc: fails yes; short no; interrupted yes; stores errno; calls back no
int putchar(int character) {
  int byte = ouro_put(character, 1);
  OURO_ANSWER_STDOUT(byte, "putchar");
}

int putchar_unlocked(int character) {
  int byte = ouro_put(character, 1);
  OURO_ANSWER_STDOUT(byte, "putchar");
}

int putc(int character, FILE *stream) {
  int byte = ouro_put(character, stream->descriptor);
  OURO_ANSWER(stream, byte, "putc");
}

int putc_unlocked(int character, FILE *stream) {
  int byte = ouro_put(character, stream->descriptor);
  OURO_ANSWER(stream, byte, "putc");
}

int _IO_putc(int character, FILE *stream) {
  int byte = ouro_put(character, stream->descriptor);
  OURO_ANSWER(stream, byte, "putc");
}

int fputc(int character, FILE *stream) {
  int byte = ouro_put(character, stream->descriptor);
  OURO_ANSWER(stream, byte, "fputc");
}

int fputc_unlocked(int character, FILE *stream) {
  int byte = ouro_put(character, stream->descriptor);
  OURO_ANSWER(stream, byte, "fputc");
}

// The number of elements written: fewer than asked for after a failure.
static size_t ouro_elements_answer(size_t count, FILE *stream, const char *name) {
  stream->written = 1;
  stream->unflushed = 1;
  stream->located = OURO_MOVED;
  if (!ouro_stream_fails(stream, name))
    return count;
  ouro_stream_failed(stream);
  if (stream->unwritable)
    return 0;
  size_t written = __ouro_choice_size("fwrite");
  __ouro_assume(written < count);
  return written;
}

#define OURO_PUT_ELEMENTS(elements, size, count, stream)                                           \
  if (size == 0 || count == 0)                                                                     \
    return 0;                                                                                      \
  __ouro_write(stream->descriptor, elements, size * count);                                        \
  if (!__ouro_result_unused())                                                                     \
    return ouro_elements_answer(count, stream, "fwrite");                                          \
  ouro_unseen(stream);                                                                             \
  return count

// audit: fwrite, fwrite_unlocked: fails yes; short yes; interrupted yes; stores errno; calls back no
size_t fwrite(const void *restrict elements, size_t size, size_t count, FILE *restrict stream) {
  OURO_PUT_ELEMENTS(elements, size, count, stream);
}

size_t fwrite_unlocked(const void *restrict elements, size_t size, size_t count,
                       FILE *restrict stream) {
  OURO_PUT_ELEMENTS(elements, size, count, stream);
}

// A character that was given back may be forgotten.
static void ouro_check_flushed(FILE *stream) {
  if (stream == 0 ? stdin->pushed : stream->pushed)
    __ouro_limit("fflush of a stream that a character was given back to");
}

// What a stream still has to write is gone after one attempt, failed or not: only the first can fail in
// a real run. C does not promise that, so a proof of termination has to survive failures of the others.
static int ouro_flush(FILE *stream, const char *name) {
  static int all_flushed;
  int may_fail;
  ouro_check_flushed(stream);
  if (stream == 0) {
    all_flushed = 1;
    stream = stdout;
    may_fail = ouro_stdout_unflushed | stdout->unflushed | stderr->unflushed;
    stderr->unflushed = 0;
  } else if (stream->descriptor == 3) {
    may_fail = stream->unflushed & !all_flushed;
  } else {
    may_fail = stream->unflushed | (stream->descriptor == 1 && ouro_stdout_unflushed);
  }
  may_fail &= !stream->unbuffered;
  stream->unflushed = 0;
  if (stream->descriptor == 1)
    ouro_stdout_unflushed = 0;
  int fails = may_fail ? ouro_stream_fails(stream, name)
                       : __ouro_unknown_bool("whether flushing fails with nothing to write");
  if (!fails)
    return 0;
  ouro_stream_failed(stream);
  return EOF;
}

static void ouro_flush_unseen(FILE *stream) {
  ouro_check_flushed(stream);
  if (stream != 0) {
    stream->unseen |= stream->unflushed;
    stream->unflushed = 0;
    if (stream->descriptor == 1)
      ouro_stdout_unflushed = 0;
  }
  ouro_output_unseen();
}

// audit: fflush, fflush_unlocked: fails yes; short no; interrupted yes; stores errno; calls back no
int fflush(FILE *stream) {
  if (!__ouro_result_unused())
    return ouro_flush(stream, "fflush");
  ouro_flush_unseen(stream);
  return 0;
}

int fflush_unlocked(FILE *stream) {
  if (!__ouro_result_unused())
    return ouro_flush(stream, "fflush");
  ouro_flush_unseen(stream);
  return 0;
}

// audit: setbuf, setbuffer, setlinebuf, setvbuf: fails yes; short no; interrupted no; stores no; calls back no
// What is in a buffer of the program's own, and when, nobody promises.
#define OURO_OWN_BUFFER "a buffer of the program's own for a stream"

void setbuf(FILE *restrict stream, char *restrict buffer) {
  if (buffer != 0)
    __ouro_limit(OURO_OWN_BUFFER);
  stream->unbuffered = 1;
}

void setbuffer(FILE *restrict stream, char *restrict buffer, size_t size) {
  (void)size;
  if (buffer != 0)
    __ouro_limit(OURO_OWN_BUFFER);
  stream->unbuffered = 1;
}

void setlinebuf(FILE *stream) {
  stream->unbuffered = 0;
}

// glibc takes every mode that there is: 0 to 2, the last without a buffer. C lets it refuse them.
int setvbuf(FILE *restrict stream, char *restrict buffer, int mode, size_t size) {
  (void)size;
  if (mode < 0 || mode > 2)
    return -1;
  if (buffer != 0 && mode != 2)
    __ouro_limit(OURO_OWN_BUFFER);
  int fails = !__ouro_result_unused() && __ouro_choice_bool("setvbuf");
  ouro_tolerate(fails);
  stream->unbuffered = mode == 2;
  return -fails;
}
