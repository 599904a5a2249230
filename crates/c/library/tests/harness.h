// Compares the library with the system's. The library's functions are compiled under other names:
// `ouro_test_strlen` is its `strlen`.
#ifndef HARNESS_H
#define HARNESS_H

#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

// Declares the library's function of that name, with the type that the system's has.
#define OURS(name) extern __typeof__(name) ouro_test_##name

// `errno` of the library.
extern int ouro_errno;

// A reproducible random number below the limit.
unsigned below(unsigned limit);
uint64_t random_bits(void);

// A random string of at most `longest` characters of the alphabet.
void random_text(char *text, size_t longest, const char *alphabet);

// Counts a failure and says where.
void complain(const char *file, int line, const char *format, ...);
#define CHECK(condition, ...)                                                                      \
  do {                                                                                             \
    if (!(condition))                                                                              \
      complain(__FILE__, __LINE__, __VA_ARGS__);                                                   \
  } while (0)

// What a run of the library came to.
enum end { FINISHED, ASSUMED_AWAY, EXITED, ABORTED, LIMIT, UNDEFINED };

// Runs a block; `how` is what it came to. Blocks do not nest.
extern jmp_buf run_end;
extern int ouro_is_exiting;
#define RUN(how, block)                                                                            \
  do {                                                                                             \
    ouro_is_exiting = 0;                                                                           \
    (how) = (enum end)setjmp(run_end);                                                             \
    if ((how) == FINISHED) {                                                                       \
      block;                                                                                       \
    }                                                                                              \
  } while (0)

// Sets the next choices of the environment; when they are used up, choices are random.
#define CHOOSE_INFINITY 0x7777777777777777LL
void choose(size_t count, const long long *values);
#define CHOOSE(...)                                                                                \
  choose(sizeof((long long[]){__VA_ARGS__}) / sizeof(long long), (long long[]){__VA_ARGS__})
size_t choices_left(void);

// The status of the last `exit`, the reason of the last limit, what was written to 1 and 2.
extern int exit_status;
extern char written[];
extern size_t written_size;

void test_characters(void);
void test_strings(void);
void test_integers(void);
void test_reals(void);
void test_memory(void);
void test_stdlib(void);
void test_streams(void);
void test_sscanf(void);
void test_math(void);
void test_more_math(void);
void test_surroundings(void);
void test_search(void);

#endif
