// What clang calls for atomic objects that the machine has no instruction for. In a program of one thread
// each is the plain operation. The names are builtins of the compiler, so they are given as labels.
#include "ouro.h"

// audit: __atomic_load: fails no; short no; interrupted no; stores the result; calls back no
// audit: __atomic_store, __atomic_store_16, __atomic_exchange_16, __atomic_fetch_add_16, __atomic_fetch_sub_16, __atomic_fetch_and_16, __atomic_fetch_or_16, __atomic_fetch_xor_16, __atomic_fetch_nand_16: fails no; short no; interrupted no; stores the object; calls back no
// audit: __atomic_exchange: fails no; short no; interrupted no; stores the object, the result; calls back no
// audit: __atomic_compare_exchange, __atomic_compare_exchange_16: fails no; short no; interrupted no; stores the object, what was expected; calls back no
// audit: __atomic_load_16: fails no; short no; interrupted no; stores no; calls back no
void ouro_atomic_load(size_t size, void *object, void *result, int order) __asm__("__atomic_load");
void ouro_atomic_load(size_t size, void *object, void *result, int order) {
  (void)order;
  __builtin_memmove(result, object, size);
}

void ouro_atomic_store(size_t size, void *object, void *value, int order) __asm__("__atomic_store");
void ouro_atomic_store(size_t size, void *object, void *value, int order) {
  (void)order;
  __builtin_memmove(object, value, size);
}

void ouro_atomic_exchange(size_t size, void *object, void *value, void *result,
                          int order) __asm__("__atomic_exchange");
void ouro_atomic_exchange(size_t size, void *object, void *value, void *result, int order) {
  (void)order;
  char *to = object;
  const char *from = value;
  char *old = result;
  for (size_t i = 0; i < size; i++) {
    char byte = from[i];
    old[i] = to[i];
    to[i] = byte;
  }
}

_Bool ouro_atomic_compare_exchange(size_t size, void *object, void *expected, void *wanted,
                                   int success,
                                   int failure) __asm__("__atomic_compare_exchange");
_Bool ouro_atomic_compare_exchange(size_t size, void *object, void *expected, void *wanted,
                                   int success, int failure) {
  (void)success;
  (void)failure;
  const char *left = object;
  const char *right = expected;
  size_t i = 0;
  while (i < size && left[i] == right[i])
    i++;
  if (i == size)
    __builtin_memmove(object, wanted, size);
  else
    __builtin_memmove(expected, object, size);
  return i == size;
}

#ifdef __SIZEOF_INT128__
typedef unsigned __int128 ouro_wide;

ouro_wide ouro_atomic_load_16(ouro_wide *object, int order) __asm__("__atomic_load_16");
ouro_wide ouro_atomic_load_16(ouro_wide *object, int order) {
  (void)order;
  return *object;
}

void ouro_atomic_store_16(ouro_wide *object, ouro_wide value,
                          int order) __asm__("__atomic_store_16");
void ouro_atomic_store_16(ouro_wide *object, ouro_wide value, int order) {
  (void)order;
  *object = value;
}

ouro_wide ouro_atomic_exchange_16(ouro_wide *object, ouro_wide value,
                                  int order) __asm__("__atomic_exchange_16");
ouro_wide ouro_atomic_exchange_16(ouro_wide *object, ouro_wide value, int order) {
  (void)order;
  ouro_wide old = *object;
  *object = value;
  return old;
}

_Bool ouro_atomic_compare_exchange_16(ouro_wide *object, ouro_wide *expected, ouro_wide wanted,
                                      int success,
                                      int failure) __asm__("__atomic_compare_exchange_16");
_Bool ouro_atomic_compare_exchange_16(ouro_wide *object, ouro_wide *expected, ouro_wide wanted,
                                      int success, int failure) {
  (void)success;
  (void)failure;
  ouro_wide old = *object;
  if (old == *expected) {
    *object = wanted;
    return 1;
  }
  *expected = old;
  return 0;
}

#define OURO_FETCH(name, label, operation)                                                         \
  ouro_wide name(ouro_wide *object, ouro_wide value, int order) __asm__(label);                    \
  ouro_wide name(ouro_wide *object, ouro_wide value, int order) {                                  \
    (void)order;                                                                                   \
    ouro_wide old = *object;                                                                       \
    *object = operation;                                                                           \
    return old;                                                                                    \
  }

OURO_FETCH(ouro_fetch_add_16, "__atomic_fetch_add_16", old + value)
OURO_FETCH(ouro_fetch_sub_16, "__atomic_fetch_sub_16", old - value)
OURO_FETCH(ouro_fetch_and_16, "__atomic_fetch_and_16", old & value)
OURO_FETCH(ouro_fetch_or_16, "__atomic_fetch_or_16", old | value)
OURO_FETCH(ouro_fetch_xor_16, "__atomic_fetch_xor_16", old ^ value)
OURO_FETCH(ouro_fetch_nand_16, "__atomic_fetch_nand_16", ~(old & value))
#endif
