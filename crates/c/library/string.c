// <string.h> and <strings.h>: copying, comparing, searching. What splits and joins is in strings.c.
#include "ouro.h"

// audit: memcpy: fails no; short no; interrupted no; stores the bytes; calls back no
// The builtins become LLVM's intrinsics, never calls.
void *memcpy(void *restrict to, const void *restrict from, size_t size) {
  __builtin_memcpy(to, from, size);
  return to;
}

// audit: mempcpy: fails no; short no; interrupted no; stores the bytes; calls back no
void *mempcpy(void *restrict to, const void *restrict from, size_t size) {
  __builtin_memcpy(to, from, size);
  return (char *)to + size;
}

// audit: memmove: fails no; short no; interrupted no; stores the bytes; calls back no
void *memmove(void *to, const void *from, size_t size) {
  __builtin_memmove(to, from, size);
  return to;
}

// audit: bcopy: fails no; short no; interrupted no; stores the bytes; calls back no
void bcopy(const void *from, void *to, size_t size) {
  __builtin_memmove(to, from, size);
}

// audit: memset: fails no; short no; interrupted no; stores the bytes; calls back no
void *memset(void *to, int byte, size_t size) {
  __builtin_memset(to, byte, size);
  return to;
}

// audit: bzero: fails no; short no; interrupted no; stores the bytes; calls back no
void bzero(void *to, size_t size) {
  __builtin_memset(to, 0, size);
}

// audit: explicit_bzero: fails no; short no; interrupted no; stores the bytes; calls back no
void explicit_bzero(void *to, size_t size) {
  __builtin_memset(to, 0, size);
}

static int ouro_compare_bytes(const void *left, const void *right, size_t size) {
  const unsigned char *a = left;
  const unsigned char *b = right;
  for (size_t i = 0; i < size; i++)
    if (a[i] != b[i])
      return a[i] - b[i];
  return 0;
}

// audit: memcmp: fails no; short no; interrupted no; stores no; calls back no
int memcmp(const void *left, const void *right, size_t size) {
  return ouro_compare_bytes(left, right, size);
}

// audit: bcmp: fails no; short no; interrupted no; stores no; calls back no
int bcmp(const void *left, const void *right, size_t size) {
  return ouro_compare_bytes(left, right, size);
}

// audit: memchr: fails no; short no; interrupted no; stores no; calls back no
void *memchr(const void *bytes, int byte, size_t size) {
  const unsigned char *a = bytes;
  for (size_t i = 0; i < size; i++)
    if (a[i] == (unsigned char)byte)
      return (void *)(a + i);
  return 0;
}

// audit: rawmemchr: fails no; short no; interrupted no; stores no; calls back no
void *rawmemchr(const void *bytes, int byte) {
  const unsigned char *a = bytes;
  size_t i = 0;
  while (a[i] != (unsigned char)byte)
    i++;
  return (void *)(a + i);
}

// audit: memrchr: fails no; short no; interrupted no; stores no; calls back no
void *memrchr(const void *bytes, int byte, size_t size) {
  const unsigned char *a = bytes;
  for (size_t i = size; i > 0; i--)
    if (a[i - 1] == (unsigned char)byte)
      return (void *)(a + i - 1);
  return 0;
}

// audit: memccpy: fails no; short no; interrupted no; stores the text; calls back no
void *memccpy(void *restrict to, const void *restrict from, int byte, size_t size) {
  const unsigned char *b = from;
  size_t i = 0;
  while (i < size && b[i] != (unsigned char)byte)
    i++;
  size_t copied = i < size ? i + 1 : size;
  __ouro_apart(to, copied, from, copied);
  __builtin_memcpy(to, from, copied);
  return i < size ? (char *)to + copied : 0;
}

// audit: memmem: fails no; short no; interrupted no; stores no; calls back no
void *memmem(const void *bytes, size_t size, const void *sought, size_t sought_size) {
  const char *a = bytes;
  for (size_t i = 0; i + sought_size <= size; i++)
    if (ouro_compare_bytes(a + i, sought, sought_size) == 0)
      return (void *)(a + i);
  return 0;
}

size_t ouro_length(const char *string) {
  size_t i = 0;
  while (string[i] != 0)
    i++;
  return i;
}

// audit: strlen: fails no; short no; interrupted no; stores no; calls back no
size_t strlen(const char *string) {
  return ouro_length(string);
}

static size_t ouro_length_up_to(const char *string, size_t size) {
  for (size_t i = 0; i < size; i++)
    if (string[i] == 0)
      return i;
  return size;
}

// audit: strnlen: fails no; short no; interrupted no; stores no; calls back no
size_t strnlen(const char *string, size_t size) {
  return ouro_length_up_to(string, size);
}

// Copies up to the terminating zero and returns the address of the copied zero. Here and below, what is
// read to find the end of a text is part of what must not be overwritten.
static char *ouro_copy(char *to, const char *from) {
  size_t length = ouro_length(from);
  __ouro_apart(to, length + 1, from, length + 1);
  __builtin_memcpy(to, from, length + 1);
  return to + length;
}

// audit: strcpy: fails no; short no; interrupted no; stores the text; calls back no
char *strcpy(char *restrict to, const char *restrict from) {
  ouro_copy(to, from);
  return to;
}

// audit: stpcpy: fails no; short no; interrupted no; stores the text; calls back no
char *stpcpy(char *restrict to, const char *restrict from) {
  return ouro_copy(to, from);
}

// audit: strcat: fails no; short no; interrupted no; stores the text; calls back no
char *strcat(char *restrict to, const char *restrict from) {
  ouro_copy(to + ouro_length(to), from);
  return to;
}

// Copies at most `size` bytes, fills up with zeros and returns the address of the first of them.
static char *ouro_copy_padded(char *to, const char *from, size_t size) {
  size_t length = ouro_length_up_to(from, size);
  __ouro_apart(to, size, from, length + (length < size));
  __builtin_memcpy(to, from, length);
  __builtin_memset(to + length, 0, size - length);
  return to + length;
}

// audit: strncpy: fails no; short no; interrupted no; stores the text; calls back no
char *strncpy(char *restrict to, const char *restrict from, size_t size) {
  ouro_copy_padded(to, from, size);
  return to;
}

// audit: stpncpy: fails no; short no; interrupted no; stores the text; calls back no
char *stpncpy(char *restrict to, const char *restrict from, size_t size) {
  return ouro_copy_padded(to, from, size);
}

// audit: strncat: fails no; short no; interrupted no; stores the text; calls back no
char *strncat(char *restrict to, const char *restrict from, size_t size) {
  char *end = to + ouro_length(to);
  size_t length = ouro_length_up_to(from, size);
  __ouro_apart(end, length + 1, from, length + (length < size));
  __builtin_memcpy(end, from, length);
  end[length] = 0;
  return to;
}

// audit: strlcpy: fails no; short no; interrupted no; stores the text; calls back no
size_t strlcpy(char *restrict to, const char *restrict from, size_t size) {
  size_t length = ouro_length(from);
  if (size > 0) {
    size_t copied = length < size ? length : size - 1;
    __ouro_apart(to, copied + 1, from, length + 1);
    __builtin_memcpy(to, from, copied);
    to[copied] = 0;
  }
  return length;
}

// audit: strlcat: fails no; short no; interrupted no; stores the text; calls back no
size_t strlcat(char *restrict to, const char *restrict from, size_t size) {
  size_t start = ouro_length_up_to(to, size);
  size_t length = ouro_length(from);
  if (start < size) {
    size_t space = size - start - 1;
    size_t copied = length < space ? length : space;
    __ouro_apart(to + start, copied + 1, from, length + 1);
    __builtin_memcpy(to + start, from, copied);
    to[start + copied] = 0;
  }
  return start + length;
}

int ouro_compare(const char *left, const char *right) {
  const unsigned char *a = (const unsigned char *)left;
  const unsigned char *b = (const unsigned char *)right;
  size_t i = 0;
  while (a[i] == b[i] && a[i] != 0)
    i++;
  return a[i] - b[i];
}

// audit: strcmp: fails no; short no; interrupted no; stores no; calls back no
int strcmp(const char *left, const char *right) {
  return ouro_compare(left, right);
}

// audit: strcoll: fails no; short no; interrupted no; stores no; calls back no
int strcoll(const char *left, const char *right) {
  return ouro_compare(left, right);
}

// audit: strncmp: fails no; short no; interrupted no; stores no; calls back no
int strncmp(const char *left, const char *right, size_t size) {
  const unsigned char *a = (const unsigned char *)left;
  const unsigned char *b = (const unsigned char *)right;
  for (size_t i = 0; i < size; i++)
    if (a[i] != b[i] || a[i] == 0)
      return a[i] - b[i];
  return 0;
}

static int ouro_lower_case(unsigned char c) {
  return c + 32 * ((unsigned)c - 'A' < 26u);
}

static int ouro_compare_caseless(const char *left, const char *right, size_t size) {
  const unsigned char *a = (const unsigned char *)left;
  const unsigned char *b = (const unsigned char *)right;
  for (size_t i = 0; i < size; i++) {
    int difference = ouro_lower_case(a[i]) - ouro_lower_case(b[i]);
    if (difference != 0 || a[i] == 0)
      return difference;
  }
  return 0;
}

// audit: strcasecmp: fails no; short no; interrupted no; stores no; calls back no
int strcasecmp(const char *left, const char *right) {
  return ouro_compare_caseless(left, right, SIZE_MAX);
}

// audit: strncasecmp: fails no; short no; interrupted no; stores no; calls back no
int strncasecmp(const char *left, const char *right, size_t size) {
  return ouro_compare_caseless(left, right, size);
}

// audit: strxfrm: fails no; short no; interrupted no; stores the text; calls back no
size_t strxfrm(char *restrict to, const char *restrict from, size_t size) {
  size_t length = ouro_length(from);
  size_t copied = length < size ? length + 1 : size;
  __ouro_apart(to, copied, from, length + 1);
  __builtin_memcpy(to, from, copied);
  return length;
}

static char *ouro_find(const char *string, int character) {
  size_t i = 0;
  while (string[i] != (char)character && string[i] != 0)
    i++;
  return (char *)string + i;
}

// audit: strchrnul: fails no; short no; interrupted no; stores no; calls back no
char *strchrnul(const char *string, int character) {
  return ouro_find(string, character);
}

// audit: strchr: fails no; short no; interrupted no; stores no; calls back no
char *strchr(const char *string, int character) {
  char *found = ouro_find(string, character);
  return *found == (char)character ? found : 0;
}

// audit: index: fails no; short no; interrupted no; stores no; calls back no
char *index(const char *string, int character) {
  char *found = ouro_find(string, character);
  return *found == (char)character ? found : 0;
}

static char *ouro_find_last(const char *string, int character) {
  for (size_t i = ouro_length(string) + 1; i > 0; i--)
    if (string[i - 1] == (char)character)
      return (char *)string + i - 1;
  return 0;
}

// audit: strrchr: fails no; short no; interrupted no; stores no; calls back no
char *strrchr(const char *string, int character) {
  return ouro_find_last(string, character);
}

// audit: rindex: fails no; short no; interrupted no; stores no; calls back no
char *rindex(const char *string, int character) {
  return ouro_find_last(string, character);
}

// audit: strstr: fails no; short no; interrupted no; stores no; calls back no
char *strstr(const char *string, const char *sought) {
  size_t length = ouro_length(string);
  size_t sought_length = ouro_length(sought);
  for (size_t i = 0; i + sought_length <= length; i++)
    if (ouro_compare_bytes(string + i, sought, sought_length) == 0)
      return (char *)string + i;
  return 0;
}

// audit: strcasestr: fails no; short no; interrupted no; stores no; calls back no
char *strcasestr(const char *string, const char *sought) {
  size_t length = ouro_length(string);
  size_t sought_length = ouro_length(sought);
  for (size_t i = 0; i + sought_length <= length; i++)
    if (ouro_compare_caseless(string + i, sought, sought_length) == 0)
      return (char *)string + i;
  return 0;
}
