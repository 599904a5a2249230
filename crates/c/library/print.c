// The writing part of <stdio.h>.
//
// The standard output and error streams take everything; a file that the program opened, and a
// descriptor, may refuse, as the environment decides. What is written to those is not kept.
#include "ouro.h"

// A file's answer: the given result, or EOF after a failure.
static int ouro_file_result(FILE *stream, int result, int fails) {
  stream->written = 1;
  stream->located = OURO_MOVED;
  if (!fails)
    return result;
  stream->error = 1;
  ouro_fail();
  return EOF;
}

static int ouro_is_standard(int descriptor) {
  return descriptor == 1 || descriptor == 2;
}

// The answer to writing; a standard stream takes everything.
#define OURO_WRITTEN(stream, result, name)                                                         \
  (ouro_is_standard((stream)->descriptor)                                                          \
       ? (result)                                                                                  \
       : ouro_file_result(stream, result, __ouro_choice_bool(name)))

static int ouro_print_to(int descriptor, const char *format, va_list arguments) {
  if (ouro_is_standard(descriptor))
    return __ouro_print(descriptor, format, arguments);
  return __ouro_format(0, 0, format, arguments);
}

static int ouro_descriptor_result(int descriptor, int result) {
  if (ouro_is_standard(descriptor) || !__ouro_choice_bool("dprintf"))
    return result;
  ouro_fail();
  return EOF;
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
  int length = ouro_print_to(stream->descriptor, format, arguments);
  return OURO_WRITTEN(stream, length, "vfprintf");
}

int fprintf(FILE *restrict stream, const char *restrict format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = ouro_print_to(stream->descriptor, format, arguments);
  va_end(arguments);
  return OURO_WRITTEN(stream, length, "fprintf");
}

int vdprintf(int descriptor, const char *restrict format, va_list arguments) {
  int length = ouro_print_to(descriptor, format, arguments);
  return ouro_descriptor_result(descriptor, length);
}

int dprintf(int descriptor, const char *restrict format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = ouro_print_to(descriptor, format, arguments);
  va_end(arguments);
  return ouro_descriptor_result(descriptor, length);
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
  *result = __ouro_allocate(size);
  return __ouro_format(*result, size, format, arguments);
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
  int length = ouro_print_to(descriptor, format, arguments);
  va_end(arguments);
  return length;
}

int puts(const char *string) {
  return ouro_say(1, "%s\n", string);
}

int fputs(const char *restrict string, FILE *restrict stream) {
  ouro_say(stream->descriptor, "%s", string);
  return OURO_WRITTEN(stream, 1, "fputs");
}

int fputs_unlocked(const char *restrict string, FILE *restrict stream) {
  ouro_say(stream->descriptor, "%s", string);
  return OURO_WRITTEN(stream, 1, "fputs");
}

void perror(const char *string) {
  if (string != 0 && *string != 0)
    ouro_say(2, "%s: error\n", string);
  else
    ouro_say(2, "error\n");
}

static int ouro_put(int character, int descriptor) {
  unsigned char byte = (unsigned char)character;
  if (ouro_is_standard(descriptor))
    __ouro_write(descriptor, &byte, 1);
  return byte;
}

int putchar(int character) {
  return ouro_put(character, 1);
}

int putchar_unlocked(int character) {
  return ouro_put(character, 1);
}

int putc(int character, FILE *stream) {
  int byte = ouro_put(character, stream->descriptor);
  return OURO_WRITTEN(stream, byte, "putc");
}

int putc_unlocked(int character, FILE *stream) {
  int byte = ouro_put(character, stream->descriptor);
  return OURO_WRITTEN(stream, byte, "putc");
}

int _IO_putc(int character, FILE *stream) {
  int byte = ouro_put(character, stream->descriptor);
  return OURO_WRITTEN(stream, byte, "putc");
}

int fputc(int character, FILE *stream) {
  int byte = ouro_put(character, stream->descriptor);
  return OURO_WRITTEN(stream, byte, "fputc");
}

int fputc_unlocked(int character, FILE *stream) {
  int byte = ouro_put(character, stream->descriptor);
  return OURO_WRITTEN(stream, byte, "fputc");
}

static size_t ouro_put_elements(const void *elements, size_t size, size_t count, FILE *stream) {
  if (size == 0 || count == 0)
    return 0;
  if (ouro_is_standard(stream->descriptor)) {
    __ouro_write(stream->descriptor, elements, size * count);
    return count;
  }
  size_t written = __ouro_choice_size("fwrite");
  __ouro_assume(written <= count);
  stream->written = 1;
  stream->located = OURO_MOVED;
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
  return stream == 0 ? 0 : OURO_WRITTEN(stream, 0, "fflush");
}

int fflush_unlocked(FILE *stream) {
  return stream == 0 ? 0 : OURO_WRITTEN(stream, 0, "fflush");
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
