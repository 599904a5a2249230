// The primitives of the library, as the test needs them, and the main function.
#include "harness.h"
#include <malloc.h>

static int failures;
static uint64_t state = 88172645463325252u;

uint64_t random_bits(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

unsigned below(unsigned limit) {
  return (unsigned)(random_bits() >> 20) % limit;
}

void random_text(char *text, size_t longest, const char *alphabet) {
  size_t length = below((unsigned)longest + 1);
  for (size_t i = 0; i < length; i++)
    text[i] = alphabet[below((unsigned)strlen(alphabet))];
  text[length] = 0;
}

void complain(const char *file, int line, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  if (++failures <= 20) {
    fprintf(stderr, "%s:%d: ", file, line);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
  }
  va_end(arguments);
}

jmp_buf run_end;
int exit_status;
char written[65536];
size_t written_size;

static long long queue[64];
static size_t queued;
static size_t used;

void choose(size_t count, const long long *values) {
  memcpy(queue, values, count * sizeof *values);
  queued = count;
  used = 0;
}

size_t choices_left(void) {
  return queued - used;
}

static long long choice(void) {
  return used < queued ? queue[used++] : (long long)random_bits();
}

#define CHOICE(type, name)                                                                         \
  type __ouro_choice_##name(const char *function) {                                                \
    (void)function;                                                                                \
    return (type)choice();                                                                         \
  }
CHOICE(char, char)
CHOICE(unsigned char, uchar)
CHOICE(short, short)
CHOICE(unsigned short, ushort)
CHOICE(unsigned, uint)
CHOICE(long, long)
CHOICE(unsigned long, ulong)
CHOICE(long long, longlong)
CHOICE(unsigned long long, ulonglong)
CHOICE(size_t, size)

// A number that matters only if reading fails.
int __ouro_choice_int(const char *function) {
  return strcmp(function, "errno after reading") == 0 ? EIO : (int)choice();
}

// A queue of integers has no infinity.
static double real(long long chosen) {
  return chosen == CHOOSE_INFINITY ? INFINITY : (double)chosen;
}

float __ouro_choice_float(const char *function) {
  (void)function;
  return (float)real(choice());
}

double __ouro_choice_double(const char *function) {
  (void)function;
  return real(choice());
}

// Output works unless something else was chosen, and results are used.
_Bool __ouro_output_fails(const char *function) {
  (void)function;
  return used < queued && (queue[used++] & 1);
}

_Bool __ouro_result_unused(void) {
  return 0;
}

_Bool __ouro_result_stored(void) {
  return 0;
}

_Bool __ouro_result_kept(void) {
  return 0;
}

// What we do not know is as random as an input.
// What the system does here is the answer no.
_Bool __ouro_unknown_bool(const char *why) {
  static const char *const all[] = {"whether calls go on being interrupted",
                                    "where the text of an error or signal is",
                                    "where the name of a locale is",
                                    "which of two zeros is the least or greatest"};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (strcmp(why, all[i]) == 0)
      return 0;
  return choice() & 1;
}

int __ouro_unknown_int(const char *why) {
  (void)why;
  return (int)choice();
}

size_t __ouro_unknown_size(const char *why) {
  (void)why;
  return (size_t)choice();
}

// What C allows and the system does not do.
static int is_tolerated(const char *name) {
  static const char *const all[] = {"setvbuf", "what realloc makes of no bytes", "pthread_mutex_init",
                                    "whether strtol without a number sets errno", "mtx_init",
                                    "mtx_lock", "mtx_trylock"};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (strcmp(name, all[i]) == 0)
      return 1;
  return 0;
}

_Bool __ouro_choice_bool(const char *function) {
  return is_tolerated(function) ? 0 : choice() & 1;
}

#define UNKNOWN(type, name)                                                                        \
  type __ouro_unknown_##name(const char *why) {                                                    \
    (void)why;                                                                                     \
    return (type)choice();                                                                         \
  }
UNKNOWN(unsigned char, uchar)
UNKNOWN(unsigned, uint)
UNKNOWN(unsigned long, ulong)

// What is read may go on.
int __ouro_input_ends(void) {
  return 0;
}

void __ouro_assumption(const char *what) {
  (void)what;
}

_Bool only_compares = 1;

_Bool __ouro_only_compares(const void *function) {
  (void)function;
  return only_compares;
}

_Bool __ouro_no_memory(const char *function, _Bool too_large) {
  (void)function;
  (void)too_large;
  return choice() & 1;
}

// The size is kept in front of the object; the bytes of a new one are rubbish.
void *__ouro_allocate(size_t size) {
  char *memory = malloc(size + 16);
  *(size_t *)memory = size;
  memset(memory + 16, 0xa5, size);
  return memory + 16;
}

void __ouro_free(void *pointer) {
  if (pointer != 0)
    free((char *)pointer - 16);
}

void __ouro_apart(const void *to, size_t room, const void *from, size_t size) {
  const char *written = to, *read = from;
  CHECK(room == 0 || size == 0 || written + room <= read || read + size <= written,
        "a copy between regions that overlap");
}

size_t __ouro_object_size(const void *pointer) {
  return *(const size_t *)((const char *)pointer - 16);
}

void __ouro_write(int stream, const void *bytes, size_t size) {
  (void)stream;
  memcpy(written + written_size, bytes, size);
  written_size += size;
}

int __ouro_print(int stream, const char *format, va_list arguments) {
  (void)stream;
  int length = vsprintf(written + written_size, format, arguments);
  written_size += (size_t)length;
  return length;
}

int __ouro_format(char *buffer, size_t size, const char *format, va_list arguments) {
  return vsnprintf(buffer, size, format, arguments);
}

void __ouro_assume(int condition) {
  if (!condition)
    longjmp(run_end, ASSUMED_AWAY);
}

void __ouro_exit(int status) {
  exit_status = status;
  longjmp(run_end, EXITED);
}

void __ouro_abort(const char *why) {
  (void)why;
  longjmp(run_end, ABORTED);
}

void __ouro_limit(const char *what) {
  (void)what;
  longjmp(run_end, LIMIT);
}

void __ouro_undefined(const char *what) {
  (void)what;
  longjmp(run_end, UNDEFINED);
}

void __ouro_destructors(void) {
  __ouro_write(1, "~", 1);
}

int main(void) {
  test_characters();
  test_strings();
  test_integers();
  test_reals();
  test_memory();
  test_stdlib();
  test_streams();
  test_sscanf();
  test_math();
  test_more_math();
  test_surroundings();
  test_search();
  if (failures != 0)
    fprintf(stderr, "%d differences\n", failures);
  return failures != 0;
}
