// <stdlib.h>: the end of the program, integer arithmetic, sorting and searching, the environment.
// Allocation is in malloc.c, text to numbers in convert.c and real.c, random numbers in random.c.
#include "ouro.h"

// What `exit` calls, the last registered first.
struct ouro_handler {
  void (*plain)(void);
  void (*with_argument)(void *);
  void *argument;
  struct ouro_handler *next;
};
static struct ouro_handler *ouro_at_exit;
static struct ouro_handler *ouro_at_quick_exit;

static void ouro_register(struct ouro_handler **list, struct ouro_handler handler) {
  struct ouro_handler *first = __ouro_allocate(sizeof *first);
  *first = handler;
  first->next = *list;
  *list = first;
}

// A handler may register others, which then come next.
static void ouro_run_handlers(struct ouro_handler **list) {
  while (*list != 0) {
    struct ouro_handler handler = **list;
    __ouro_free(*list);
    *list = handler.next;
    if (handler.plain != 0)
      handler.plain();
    else
      handler.with_argument(handler.argument);
  }
}

int atexit(void (*function)(void)) {
  ouro_register(&ouro_at_exit, (struct ouro_handler){function, 0, 0, 0});
  return 0;
}

int at_quick_exit(void (*function)(void)) {
  ouro_register(&ouro_at_quick_exit, (struct ouro_handler){function, 0, 0, 0});
  return 0;
}

// How C++ registers the destructors of static objects.
int __cxa_atexit(void (*function)(void *), void *argument, void *library) {
  (void)library;
  ouro_register(&ouro_at_exit, (struct ouro_handler){0, function, argument, 0});
  return 0;
}

_Noreturn void exit(int status) {
  ouro_run_handlers(&ouro_at_exit);
  __ouro_destructors();
  __ouro_exit(status);
}

_Noreturn void quick_exit(int status) {
  ouro_run_handlers(&ouro_at_quick_exit);
  __ouro_exit(status);
}

_Noreturn void _Exit(int status) {
  __ouro_exit(status);
}

_Noreturn void _exit(int status) {
  __ouro_exit(status);
}

_Noreturn void abort(void) {
  __ouro_abort("abort()");
}

int system(const char *command) {
  (void)command;
  __ouro_limit("system: another program runs");
}

// The least number has no opposite: that overflow is undefined, here as in C.
int abs(int value) {
  return value < 0 ? -value : value;
}

long labs(long value) {
  return value < 0 ? -value : value;
}

long long llabs(long long value) {
  return value < 0 ? -value : value;
}

intmax_t imaxabs(intmax_t value) {
  return value < 0 ? -value : value;
}

#define OURO_DIVIDE(type, name)                                                                    \
  struct ouro_##name {                                                                             \
    type quotient;                                                                                 \
    type remainder;                                                                                \
  };                                                                                               \
  struct ouro_##name name(type dividend, type divisor) {                                           \
    struct ouro_##name result = {dividend / divisor, dividend % divisor};                          \
    return result;                                                                                 \
  }

OURO_DIVIDE(int, div)
OURO_DIVIDE(long, ldiv)
OURO_DIVIDE(long long, lldiv)
OURO_DIVIDE(intmax_t, imaxdiv)

typedef int ouro_comparison(const void *, const void *, void *);

// The comparison of `qsort` takes two arguments; this one gets it as its third.
static int ouro_call_comparison(const void *left, const void *right, void *comparison) {
  return (*(int (**)(const void *, const void *))comparison)(left, right);
}

// Merges runs of 1, 2, 4, … elements: few comparisons, equal elements keep their order (as mostly
// with glibc), and it ends even if the comparison contradicts itself.
static void ouro_sort(char *elements, size_t count, size_t size, ouro_comparison *compare,
                      void *argument) {
  if (count < 2 || size == 0)
    return;
  char *merged = __ouro_allocate(count * size);
  for (size_t width = 1; width < count; width *= 2) {
    for (size_t start = 0; start < count; start += 2 * width) {
      size_t middle = count - start < width ? count : start + width;
      size_t end = count - middle < width ? count : middle + width;
      size_t left = start;
      size_t right = middle;
      for (size_t i = start; i < end; i++) {
        size_t from;
        if (right == end || (left < middle && compare(elements + left * size,
                                                      elements + right * size, argument) <= 0))
          from = left++;
        else
          from = right++;
        __builtin_memcpy(merged + i * size, elements + from * size, size);
      }
    }
    __builtin_memcpy(elements, merged, count * size);
  }
  __ouro_free(merged);
}

void qsort(void *elements, size_t count, size_t size,
           int (*compare)(const void *, const void *)) {
  ouro_sort(elements, count, size, ouro_call_comparison, &compare);
}

void qsort_r(void *elements, size_t count, size_t size, ouro_comparison *compare,
             void *argument) {
  ouro_sort(elements, count, size, compare, argument);
}

void *bsearch(const void *key, const void *elements, size_t count, size_t size,
              int (*compare)(const void *, const void *)) {
  size_t low = 0;
  size_t high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    const char *element = (const char *)elements + middle * size;
    int order = compare(key, element);
    if (order == 0)
      return (void *)element;
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return 0;
}

// The environment, as far as the program has asked for it: the same question gets the same answer.
struct ouro_setting {
  const char *name;
  char *value; // null: not set
  struct ouro_setting *next;
};
static struct ouro_setting *ouro_settings;

static struct ouro_setting *ouro_find_setting(const char *name) {
  for (struct ouro_setting *setting = ouro_settings; setting != 0; setting = setting->next)
    if (ouro_compare(setting->name, name) == 0)
      return setting;
  return 0;
}

static char *ouro_duplicate(const char *string) {
  size_t size = ouro_length(string) + 1;
  char *copy = __ouro_allocate(size);
  __builtin_memcpy(copy, string, size);
  return copy;
}

static struct ouro_setting *ouro_add_setting(const char *name) {
  struct ouro_setting *setting = __ouro_allocate(sizeof *setting);
  setting->name = ouro_duplicate(name);
  setting->value = 0;
  setting->next = ouro_settings;
  ouro_settings = setting;
  return setting;
}

// Linux has no longer string in an environment.
#define OURO_LONGEST_SETTING 131071

char *getenv(const char *name) {
  struct ouro_setting *setting = ouro_find_setting(name);
  if (setting != 0)
    return setting->value;
  setting = ouro_add_setting(name);
  if (__ouro_choice_bool("getenv"))
    return 0;
  size_t length = __ouro_choice_size("getenv");
  __ouro_assume(length <= OURO_LONGEST_SETTING);
  setting->value = __ouro_allocate(length + 1);
  for (size_t i = 0; i < length; i++) {
    setting->value[i] = __ouro_choice_char("getenv");
    __ouro_assume(setting->value[i] != 0);
  }
  setting->value[length] = 0;
  return setting->value;
}

char *secure_getenv(const char *name) {
  (void)name;
  __ouro_limit("secure_getenv");
}

static int ouro_is_setting_name(const char *name) {
  if (name == 0 || *name == 0)
    return 0;
  for (size_t i = 0; name[i] != 0; i++)
    if (name[i] == '=')
      return 0;
  return 1;
}

int setenv(const char *name, const char *value, int overwrite) {
  if (!ouro_is_setting_name(name)) {
    ouro_errno = OURO_EINVAL;
    return -1;
  }
  struct ouro_setting *setting = ouro_find_setting(name);
  if (setting == 0 && !overwrite)
    __ouro_limit("setenv without overwriting");
  if (setting == 0)
    setting = ouro_add_setting(name);
  if (overwrite || setting->value == 0)
    setting->value = ouro_duplicate(value);
  return 0;
}

int unsetenv(const char *name) {
  if (!ouro_is_setting_name(name)) {
    ouro_errno = OURO_EINVAL;
    return -1;
  }
  struct ouro_setting *setting = ouro_find_setting(name);
  if (setting == 0)
    setting = ouro_add_setting(name);
  setting->value = 0;
  return 0;
}

int putenv(char *setting) {
  (void)setting;
  __ouro_limit("putenv");
}
