// The writing part of <stdio.h>.
//
// The standard output and error streams take everything; a file that the program opened, and a
// descriptor, may refuse, as the environment decides. What is written to those is not kept.
#include "ouro.h"

// A file's answer: the given result, or EOF after a failure.
static int ouro_file_result(const char *name, FILE *stream, int result) {
  stream->written = 1;
  if (__ouro_choice_bool(name)) {
    stream->error = 1;
    ouro_fail();
    return EOF;
  }
  return result;
}

static int ouro_is_standard(FILE *stream) {
  return stream->descriptor == 1 || stream->descriptor == 2;
}

static int ouro_print_to(const char *name, FILE *stream, const char *format, va_list arguments) {
  if (ouro_is_standard(stream))
    return __ouro_print(stream->descriptor, format, arguments);
  int length = __ouro_format(0, 0, format, arguments);
  return ouro_file_result(name, stream, length);
}

static int ouro_print_to_descriptor(const char *name, int descriptor, const char *format,
                                    va_list arguments) {
  if (descriptor == 1 || descriptor == 2)
    return __ouro_print(descriptor, format, arguments);
  int length = __ouro_format(0, 0, format, arguments);
  if (__ouro_choice_bool(name)) {
    ouro_fail();
    return EOF;
  }
  return length;
}

int vprintf(const char *restrict format, va_list arguments) {
  return __ouro_print(1, format, arguments);
}

int printf(const char *restrict format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = __ouro_print(1, format, arguments);
  va_end(arguments);
  return length;
}

int vfprintf(FILE *restrict stream, const char *restrict format, va_list arguments) {
  return ouro_print_to("vfprintf", stream, format, arguments);
}

int fprintf(FILE *restrict stream, const char *restrict format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = ouro_print_to("fprintf", stream, format, arguments);
  va_end(arguments);
  return length;
}

int vdprintf(int descriptor, const char *restrict format, va_list arguments) {
  return ouro_print_to_descriptor("vdprintf", descriptor, format, arguments);
}

int dprintf(int descriptor, const char *restrict format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = ouro_print_to_descriptor("dprintf", descriptor, format, arguments);
  va_end(arguments);
  return length;
}

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

static int ouro_print_new(const char *name, char **result, const char *format,
                          va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  int length = __ouro_format(0, 0, format, again);
  va_end(again);
  if (length < 0)
    return -1;
  if (__ouro_choice_bool(name)) {
    ouro_errno = OURO_ENOMEM;
    return -1;
  }
  size_t size = (size_t)length + 1;
  *result = __ouro_allocate(size);
  return __ouro_format(*result, size, format, arguments);
}

int vasprintf(char **restrict result, const char *restrict format, va_list arguments) {
  return ouro_print_new("vasprintf", result, format, arguments);
}

int asprintf(char **restrict result, const char *restrict format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = ouro_print_new("asprintf", result, format, arguments);
  va_end(arguments);
  return length;
}

// Printing a string this way needs no loop to find its end.
static int ouro_say(const char *name, FILE *stream, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = ouro_print_to(name, stream, format, arguments);
  va_end(arguments);
  return length;
}

int puts(const char *string) {
  return ouro_say("puts", stdout, "%s\n", string);
}

int fputs(const char *restrict string, FILE *restrict stream) {
  return ouro_say("fputs", stream, "%s", string) < 0 ? EOF : 1;
}

int fputs_unlocked(const char *restrict string, FILE *restrict stream) {
  return ouro_say("fputs_unlocked", stream, "%s", string) < 0 ? EOF : 1;
}

void perror(const char *string) {
  if (string != 0 && *string != 0)
    ouro_say("perror", stderr, "%s: error\n", string);
  else
    ouro_say("perror", stderr, "error\n");
}

static int ouro_put(const char *name, int character, FILE *stream) {
  unsigned char byte = (unsigned char)character;
  if (!ouro_is_standard(stream))
    return ouro_file_result(name, stream, byte);
  __ouro_write(stream->descriptor, &byte, 1);
  return byte;
}

int putchar(int character) {
  return ouro_put("putchar", character, stdout);
}

int putchar_unlocked(int character) {
  return ouro_put("putchar_unlocked", character, stdout);
}

int putc(int character, FILE *stream) {
  return ouro_put("putc", character, stream);
}

int putc_unlocked(int character, FILE *stream) {
  return ouro_put("putc_unlocked", character, stream);
}

int _IO_putc(int character, FILE *stream) {
  return ouro_put("putc", character, stream);
}

int fputc(int character, FILE *stream) {
  return ouro_put("fputc", character, stream);
}

int fputc_unlocked(int character, FILE *stream) {
  return ouro_put("fputc_unlocked", character, stream);
}

static size_t ouro_put_elements(const void *elements, size_t size, size_t count, FILE *stream) {
  if (size == 0 || count == 0)
    return 0;
  if (ouro_is_standard(stream)) {
    __ouro_write(stream->descriptor, elements, size * count);
    return count;
  }
  size_t written = __ouro_choice_size("fwrite");
  __ouro_assume(written <= count);
  stream->written = 1;
  if (written < count) {
    stream->error = 1;
    ouro_fail();
  }
  return written;
}

size_t fwrite(const void *restrict elements, size_t size, size_t count, FILE *restrict stream) {
  return ouro_put_elements(elements, size, count, stream);
}

size_t fwrite_unlocked(const void *restrict elements, size_t size, size_t count,
                       FILE *restrict stream) {
  return ouro_put_elements(elements, size, count, stream);
}

int fflush(FILE *stream) {
  if (stream == 0 || stream->descriptor != 3)
    return 0;
  return ouro_file_result("fflush", stream, 0);
}

int fflush_unlocked(FILE *stream) {
  return stream == 0 || stream->descriptor != 3 ? 0 : ouro_file_result("fflush", stream, 0);
}

void setbuf(FILE *restrict stream, char *restrict buffer) {
  (void)stream;
  (void)buffer;
}

void setbuffer(FILE *restrict stream, char *restrict buffer, size_t size) {
  (void)stream;
  (void)buffer;
  (void)size;
}

void setlinebuf(FILE *stream) {
  (void)stream;
}

int setvbuf(FILE *restrict stream, char *restrict buffer, int mode, size_t size) {
  (void)stream;
  (void)buffer;
  (void)mode;
  (void)size;
  return 0;
}
