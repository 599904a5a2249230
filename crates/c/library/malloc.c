// The allocating part of <stdlib.h>. Every allocation may fail, as the environment decides; with
// `--allocations succeed` (`__ouro_no_memory` in ouro.h) none does for lack of memory.
//
// An allocation of more than PTRDIFF_MAX bytes always fails, as with glibc: the run in which it
// succeeds is assumed away.
#include "ouro.h"

static void *ouro_allocate(size_t size, int fails) {
  if (fails) {
    ouro_errno = OURO_ENOMEM;
    return 0;
  }
  __ouro_assume(size <= PTRDIFF_MAX);
  return __ouro_allocate(size);
}

// audit: malloc: fails yes; short no; interrupted no; stores errno; calls back no
void *malloc(size_t size) {
  return ouro_allocate(size, __ouro_no_memory("malloc", size > PTRDIFF_MAX));
}

// The largest count for which `count * size` bytes can be allocated; no division by zero.
static size_t ouro_most(size_t size) {
  return (size_t)PTRDIFF_MAX / (size + (size == 0));
}

// audit: calloc: fails yes; short no; interrupted no; stores errno; calls back no
void *calloc(size_t count, size_t size) {
  if (__ouro_no_memory("calloc", count > ouro_most(size))) {
    ouro_errno = OURO_ENOMEM;
    return 0;
  }
  __ouro_assume(count <= ouro_most(size));
  void *pointer = __ouro_allocate(count * size);
  __builtin_memset(pointer, 0, count * size);
  return pointer;
}

// `realloc(pointer, 0)` frees, as with glibc. Other libraries return an object without bytes.
static int ouro_only_frees(void *old, size_t size, int makes_one) {
  if (old == 0 || size != 0)
    return 0;
  ouro_tolerate(makes_one);
  if (makes_one)
    return 0;
  __ouro_free(old);
  return 1;
}
#define OURO_MAKES_ONE(size) ((size) == 0 && __ouro_choice_bool("what realloc makes of no bytes"))

static void *ouro_reallocate(void *old, size_t size, int fails) {
  void *new = ouro_allocate(size, fails);
  if (new == 0 || old == 0)
    return new;
  size_t kept = __ouro_object_size(old);
  if (kept > size)
    kept = size;
  __builtin_memcpy(new, old, kept);
  __ouro_free(old);
  return new;
}

// audit: realloc: fails yes; short no; interrupted no; stores errno; calls back no
void *realloc(void *old, size_t size) {
  if (ouro_only_frees(old, size, OURO_MAKES_ONE(size)))
    return 0;
  return ouro_reallocate(old, size, __ouro_no_memory("realloc", size > PTRDIFF_MAX));
}

// audit: reallocarray: fails yes; short no; interrupted no; stores errno; calls back no
void *reallocarray(void *old, size_t count, size_t size) {
  if (count > ouro_most(size)) {
    ouro_errno = OURO_ENOMEM;
    return 0;
  }
  if (ouro_only_frees(old, count * size, OURO_MAKES_ONE(count * size)))
    return 0;
  return ouro_reallocate(old, count * size, __ouro_no_memory("reallocarray", 0));
}

// audit: free: fails no; short no; interrupted no; stores no; calls back no
void free(void *pointer) {
  __ouro_free(pointer);
}

// audit: cfree: fails no; short no; interrupted no; stores no; calls back no
void cfree(void *pointer) {
  __ouro_free(pointer);
}

// The primitive promises the alignment of `max_align_t` and no more. Where the program asks for more
// and the model's address does not have it, the run is given up.
static void *ouro_align(size_t alignment, size_t size, int fails) {
  void *pointer = ouro_allocate(size, fails);
  if (alignment > _Alignof(max_align_t) && ((uintptr_t)pointer & (alignment - 1)) != 0)
    __ouro_limit("an allocation aligned for more than any type needs");
  return pointer;
}

static int ouro_is_power_of_two(size_t value) {
  return value != 0 && (value & (value - 1)) == 0;
}

// audit: aligned_alloc: fails yes; short no; interrupted no; stores errno; calls back no
// Another alignment than a power of two fails with some libraries; glibc rounds it up before version 2.38.
void *aligned_alloc(size_t alignment, size_t size) {
  if (!ouro_is_power_of_two(alignment))
    __ouro_limit("aligned_alloc to something else than a power of two");
  return ouro_align(alignment, size, __ouro_no_memory("aligned_alloc", size > PTRDIFF_MAX));
}

// audit: memalign: fails yes; short no; interrupted no; stores errno; calls back no
// Another alignment than a power of two is rounded up by glibc; the model does not follow.
void *memalign(size_t alignment, size_t size) {
  if (!ouro_is_power_of_two(alignment))
    __ouro_limit("memalign to something else than a power of two");
  return ouro_align(alignment, size, __ouro_no_memory("memalign", size > PTRDIFF_MAX));
}

// audit: posix_memalign: fails yes; short no; interrupted no; stores the address; calls back no
int posix_memalign(void **result, size_t alignment, size_t size) {
  if (!ouro_is_power_of_two(alignment) || alignment < sizeof(void *))
    return OURO_EINVAL;
  int is_open = ouro_errno_is_open;
  int before = ouro_errno;
  int fails = __ouro_no_memory("posix_memalign", size > PTRDIFF_MAX);
  void *pointer = ouro_align(alignment, size, fails);
  ouro_errno = before;
  ouro_errno_is_open = is_open;
  if (pointer == 0)
    return OURO_ENOMEM;
  *result = pointer;
  return 0;
}

// audit: valloc: fails yes; short no; interrupted no; stores errno; calls back no
void *valloc(size_t size) {
  return ouro_align(4096, size, __ouro_no_memory("valloc", size > PTRDIFF_MAX));
}

// audit: malloc_usable_size: fails no; short no; interrupted no; stores no; calls back no
// At least what was asked for, and the program may use all of it: the object would have to be larger.
size_t malloc_usable_size(void *pointer) {
  if (pointer != 0)
    __ouro_limit("malloc_usable_size: how much room an allocation has");
  return 0;
}
