// <stdlib.h>: the end of the program, integer arithmetic, sorting and searching, the environment.
// Allocation is in malloc.c, text to numbers in convert.c and real.c, random numbers in random.c.
#include "ouro.h"

// What `exit` calls, the last registered first.
struct ouro_handler {
  void (*plain)(void);
  void (*with_argument)(void *);
  void (*with_status)(int, void *);
  void *argument;
  struct ouro_handler *next;
};
static struct ouro_handler *ouro_at_exit;
static struct ouro_handler *ouro_at_quick_exit;

// C promises room for 32 handlers in each list.
#define OURO_SURE_HANDLERS 32

static int ouro_register(struct ouro_handler **list, int *count, int fails,
                         struct ouro_handler handler) {
  if (fails)
    return -1;
  *count += *count < OURO_SURE_HANDLERS;
  struct ouro_handler *first = __ouro_allocate(sizeof *first);
  *first = handler;
  first->next = *list;
  *list = first;
  return 0;
}

// A handler may register others, which then come next.
static void ouro_run_handlers(struct ouro_handler **list, int status) {
  while (*list != 0) {
    struct ouro_handler handler = **list;
    __ouro_free(*list);
    *list = handler.next;
    if (handler.plain != 0)
      handler.plain();
    else if (handler.with_status != 0)
      handler.with_status(status, handler.argument);
    else
      handler.with_argument(handler.argument);
  }
}

static int ouro_exits;
static int ouro_quick_exits;
#define OURO_NO_ROOM(count, name) ((count) == OURO_SURE_HANDLERS && __ouro_no_memory(name, 0))

// audit: atexit: fails yes; short no; interrupted no; stores no; calls back yes
int atexit(void (*function)(void)) {
  return ouro_register(&ouro_at_exit, &ouro_exits, OURO_NO_ROOM(ouro_exits, "atexit"),
                       (struct ouro_handler){function, 0, 0, 0, 0});
}

// audit: at_quick_exit: fails yes; short no; interrupted no; stores no; calls back yes
int at_quick_exit(void (*function)(void)) {
  return ouro_register(&ouro_at_quick_exit, &ouro_quick_exits,
                       OURO_NO_ROOM(ouro_quick_exits, "at_quick_exit"),
                       (struct ouro_handler){function, 0, 0, 0, 0});
}

// audit: __cxa_atexit: fails yes; short no; interrupted no; stores no; calls back yes
// How C++ registers the destructors of static objects.
int __cxa_atexit(void (*function)(void *), void *argument, void *library) {
  (void)library;
  return ouro_register(&ouro_at_exit, &ouro_exits, OURO_NO_ROOM(ouro_exits, "__cxa_atexit"),
                       (struct ouro_handler){0, function, 0, argument, 0});
}

// audit: on_exit: fails yes; short no; interrupted no; stores no; calls back yes
int on_exit(void (*function)(int, void *), void *argument) {
  return ouro_register(&ouro_at_exit, &ouro_exits, OURO_NO_ROOM(ouro_exits, "on_exit"),
                       (struct ouro_handler){0, 0, function, argument, 0});
}

int ouro_is_exiting;

static void ouro_begin_exit(void) {
  if (ouro_is_exiting)
    __ouro_undefined("a second call of exit or quick_exit");
  ouro_is_exiting = 1;
}

// audit: exit: fails no; short no; interrupted no; stores no; calls back yes
// Destructors are the oldest handler of glibc, and what they register comes after all of them.
_Noreturn void exit(int status) {
  ouro_begin_exit();
  ouro_run_handlers(&ouro_at_exit, status);
  __ouro_destructors();
  ouro_run_handlers(&ouro_at_exit, status);
  __ouro_exit(status);
}

// audit: quick_exit: fails no; short no; interrupted no; stores no; calls back yes
_Noreturn void quick_exit(int status) {
  ouro_begin_exit();
  ouro_run_handlers(&ouro_at_quick_exit, status);
  __ouro_exit(status);
}

// audit: _Exit: fails no; short no; interrupted no; stores no; calls back no
_Noreturn void _Exit(int status) {
  __ouro_exit(status);
}

// audit: _exit: fails no; short no; interrupted no; stores no; calls back no
_Noreturn void _exit(int status) {
  __ouro_exit(status);
}

// audit: abort: fails no; short no; interrupted no; stores no; calls back no
_Noreturn void abort(void) {
  __ouro_abort("abort()");
}

// audit: system: fails yes; short no; interrupted yes; stores errno; calls back no
int system(const char *command) {
  (void)command;
  __ouro_limit("system: another program runs");
}

// audit: abs: fails no; short no; interrupted no; stores no; calls back no
// The least number has no opposite: that overflow is undefined, here as in C.
int abs(int value) {
  return value < 0 ? -value : value;
}

// audit: labs: fails no; short no; interrupted no; stores no; calls back no
long labs(long value) {
  return value < 0 ? -value : value;
}

// audit: llabs: fails no; short no; interrupted no; stores no; calls back no
long long llabs(long long value) {
  return value < 0 ? -value : value;
}

// audit: imaxabs: fails no; short no; interrupted no; stores no; calls back no
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

// audit: div, ldiv, lldiv, imaxdiv: fails no; short no; interrupted no; stores no; calls back no
OURO_DIVIDE(int, div)
OURO_DIVIDE(long, ldiv)
OURO_DIVIDE(long long, lldiv)
OURO_DIVIDE(intmax_t, imaxdiv)

typedef int ouro_comparison(const void *, const void *, void *);

// The comparison of `qsort` takes two arguments; this one gets it as its third.
static int ouro_call_comparison(const void *left, const void *right, void *comparison) {
  return (*(int (**)(const void *, const void *))comparison)(left, right);
}

// Merges runs of 1, 2, 4, … elements: few comparisons, and it ends even if the comparison contradicts
// itself.
static void ouro_merge(char *elements, size_t count, size_t size, ouro_comparison *compare,
                       void *argument) {
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

static int ouro_differ(const char *left, const char *right, size_t size) {
  for (size_t i = 0; i < size; i++)
    if (left[i] != right[i])
      return 1;
  return 0;
}

static void ouro_swap(char *left, char *right, size_t size) {
  for (size_t i = 0; i < size; i++) {
    char byte = left[i];
    left[i] = right[i];
    right[i] = byte;
  }
}

// The order of elements that compare equal is not specified, and the result of a comparison that
// contradicts itself is anything: both is looked for between neighbours.
static void ouro_leave_open(char *elements, size_t count, size_t size, ouro_comparison *compare,
                            void *argument) {
  int swapped = 0;
  for (size_t i = 0; i + 1 < count; i++) {
    char *left = elements + i * size;
    char *right = left + size;
    int order = compare(left, right, argument);
    int reverse = compare(right, left, argument);
    if (order > 0 || (order < 0) != (reverse > 0))
      __ouro_limit("qsort with a comparison that contradicts itself");
    if (order < 0 || !ouro_differ(left, right, size)) {
      swapped = 0;
      continue;
    }
    if (swapped)
      __ouro_limit("qsort with three different elements that compare equal");
    swapped = 1;
    if (__ouro_unknown_bool("the order of elements that compare equal"))
      ouro_swap(left, right, size);
  }
}

// How often and in which order elements are compared nobody promises. Sorting is exact for a
// comparison that only compares.
static void ouro_sort(char *elements, size_t count, size_t size, ouro_comparison *compare,
                      void *argument, _Bool only_compares) {
  if (count < 2 || size == 0)
    return;
  if (!only_compares)
    __ouro_limit("qsort with a comparison that does more than compare, or that has a loop");
  ouro_merge(elements, count, size, compare, argument);
  ouro_leave_open(elements, count, size, compare, argument);
}

// audit: qsort: fails no; short no; interrupted no; stores the elements; calls back yes
void qsort(void *elements, size_t count, size_t size,
           int (*compare)(const void *, const void *)) {
  ouro_sort(elements, count, size, ouro_call_comparison, &compare,
            __ouro_only_compares((const void *)compare));
}

// audit: qsort_r: fails no; short no; interrupted no; stores the elements; calls back yes
void qsort_r(void *elements, size_t count, size_t size, ouro_comparison *compare,
             void *argument) {
  ouro_sort(elements, count, size, compare, argument,
            __ouro_only_compares((const void *)compare));
}

// audit: bsearch: fails no; short no; interrupted no; stores no; calls back yes
// Of several elements that compare equal to the key, any may be found.
void *bsearch(const void *key, const void *elements, size_t count, size_t size,
              int (*compare)(const void *, const void *)) {
  if (count > 0 && !__ouro_only_compares((const void *)compare))
    __ouro_limit("bsearch with a comparison that does more than compare, or that has a loop");
  size_t low = 0;
  size_t high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    const char *element = (const char *)elements + middle * size;
    int order = compare(key, element);
    if (order == 0) {
      while (middle > 0 && compare(key, element - size) == 0) {
        element -= size;
        middle--;
      }
      while (middle + 1 < count && compare(key, element + size) == 0 &&
             __ouro_unknown_bool("which of the equal elements is found")) {
        element += size;
        middle++;
      }
      return (void *)element;
    }
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

// A value of the environment. It is a part of something larger, which nobody may free.
static char *ouro_allocate_value(size_t length) {
  char *whole = __ouro_allocate(length + 2);
  whole[0] = '=';
  return whole + 1;
}

static char *ouro_duplicate(const char *string) {
  size_t size = ouro_length(string) + 1;
  char *copy = ouro_allocate_value(size - 1);
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

// audit: getenv: fails yes; short no; interrupted no; stores no; calls back no
char *getenv(const char *name) {
  if (*name == 0)
    return 0;
  struct ouro_setting *setting = ouro_find_setting(name);
  if (setting != 0)
    return setting->value;
  setting = ouro_add_setting(name);
  if (__ouro_choice_bool("getenv"))
    return 0;
  size_t length = __ouro_choice_size("getenv");
  __ouro_assume(length <= OURO_LONGEST_SETTING);
  setting->value = ouro_allocate_value(length);
  for (size_t i = 0; i < length; i++) {
    setting->value[i] = __ouro_choice_char("getenv");
    __ouro_assume(setting->value[i] != 0);
  }
  setting->value[length] = 0;
  return setting->value;
}

// audit: secure_getenv: fails yes; short no; interrupted no; stores no; calls back no
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

// audit: setenv: fails yes; short no; interrupted no; stores errno, the environment; calls back no
int setenv(const char *name, const char *value, int overwrite) {
  if (!ouro_is_setting_name(name)) {
    ouro_errno = OURO_EINVAL;
    return -1;
  }
  struct ouro_setting *setting = ouro_find_setting(name);
  if (setting == 0 && !overwrite)
    __ouro_limit("setenv without overwriting");
  if (setting != 0 && setting->value != 0 && !overwrite)
    return 0;
  if (__ouro_no_memory("setenv", 0)) {
    ouro_errno = OURO_ENOMEM;
    return -1;
  }
  if (setting == 0)
    setting = ouro_add_setting(name);
  setting->value = ouro_duplicate(value);
  return 0;
}

// audit: unsetenv: fails yes; short no; interrupted no; stores errno, the environment; calls back no
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

// audit: putenv: fails yes; short no; interrupted no; stores errno, the environment; calls back no
int putenv(char *setting) {
  (void)setting;
  __ouro_limit("putenv");
}
