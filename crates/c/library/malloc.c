// The allocating part of <stdlib.h>. Every allocation may fail, as the environment decides.
//
// An allocation of more than PTRDIFF_MAX bytes always fails, as with glibc: the run in which it
// succeeds is assumed away.
#include "ouro.h"

static void *ouro_try_allocate(const char *name, size_t size) {
  if (__ouro_choice_bool(name)) {
    ouro_errno = OURO_ENOMEM;
    return 0;
  }
  __ouro_assume(size <= PTRDIFF_MAX);
  return __ouro_allocate(size);
}

void *malloc(size_t size) {
  return ouro_try_allocate("malloc", size);
}

// The largest count for which `count * size` bytes can be allocated; no division by zero.
static size_t ouro_most(size_t size) {
  return (size_t)PTRDIFF_MAX / (size + (size == 0));
}

void *calloc(size_t count, size_t size) {
  if (__ouro_choice_bool("calloc")) {
    ouro_errno = OURO_ENOMEM;
    return 0;
  }
  __ouro_assume(count <= ouro_most(size));
  void *pointer = __ouro_allocate(count * size);
  __builtin_memset(pointer, 0, count * size);
  return pointer;
}

// `realloc(pointer, 0)` frees, as with glibc.
static void *ouro_reallocate(const char *name, void *old, size_t size) {
  if (old == 0)
    return ouro_try_allocate(name, size);
  if (size == 0) {
    __ouro_free(old);
    return 0;
  }
  void *new = ouro_try_allocate(name, size);
  if (new == 0)
    return 0;
  size_t kept = __ouro_object_size(old);
  if (kept > size)
    kept = size;
  __builtin_memcpy(new, old, kept);
  __ouro_free(old);
  return new;
}

void *realloc(void *old, size_t size) {
  return ouro_reallocate("realloc", old, size);
}

void *reallocarray(void *old, size_t count, size_t size) {
  if (count > ouro_most(size)) {
    ouro_errno = OURO_ENOMEM;
    return 0;
  }
  return ouro_reallocate("reallocarray", old, count * size);
}

void free(void *pointer) {
  __ouro_free(pointer);
}

void cfree(void *pointer) {
  __ouro_free(pointer);
}

// The primitive promises the alignment of `max_align_t` and no more. Where the program asks for more
// and the model's address does not have it, the run is given up.
static void *ouro_align(const char *name, size_t alignment, size_t size) {
  void *pointer = ouro_try_allocate(name, size);
  if (alignment > _Alignof(max_align_t) && ((uintptr_t)pointer & (alignment - 1)) != 0)
    __ouro_limit("an allocation aligned for more than any type needs");
  return pointer;
}

static int ouro_is_power_of_two(size_t value) {
  return value != 0 && (value & (value - 1)) == 0;
}

void *aligned_alloc(size_t alignment, size_t size) {
  if (!ouro_is_power_of_two(alignment)) {
    ouro_errno = OURO_EINVAL;
    return 0;
  }
  return ouro_align("aligned_alloc", alignment, size);
}

// Another alignment than a power of two is rounded up by glibc; the model does not follow.
void *memalign(size_t alignment, size_t size) {
  if (!ouro_is_power_of_two(alignment))
    __ouro_limit("memalign to something else than a power of two");
  return ouro_align("memalign", alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
  if (!ouro_is_power_of_two(alignment) || alignment < sizeof(void *))
    return OURO_EINVAL;
  int before = ouro_errno;
  void *pointer = ouro_align("posix_memalign", alignment, size);
  ouro_errno = before;
  if (pointer == 0)
    return OURO_ENOMEM;
  *result = pointer;
  return 0;
}

void *valloc(size_t size) {
  return ouro_align("valloc", 4096, size);
}

size_t malloc_usable_size(void *pointer) {
  return pointer == 0 ? 0 : __ouro_object_size(pointer);
}
