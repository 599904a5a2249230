/* The surroundings of a random program that was compiled to machine code: inputs, and a limit on
 * turns. Before `main`, every row of inputs gets a process of its own; what became of each is printed
 * as one line, and `main` of this process never runs.
 *
 *   TURNS=10000000   how many turns a run may take
 *   ROWS=24          how many rows of inputs; the first five of each eight have small numbers only
 *   ONE=3            only this row
 *
 * A line is `ROW SMALL|LARGE END`, where END is `ended`, `undefined`, `long` or `stack`. */
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LONG_RUN = 99 };

static uint64_t turns, most, state;
static unsigned row;

void turn(void)
{
    if (++turns > most)
        _exit(LONG_RUN);
}

static uint64_t next(void)
{
    state += 0x9e3779b97f4a7c15u;
    uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static int64_t value(void)
{
    static const int64_t extremes[] = { INT_MIN, INT_MIN + 1, -1, 0, 1, INT_MAX - 1, INT_MAX, CHAR_MIN,
                                        CHAR_MAX, UCHAR_MAX, SHRT_MIN, SHRT_MAX, USHRT_MAX, UINT_MAX };
    switch (row % 8) {
    case 0:
        return row == 0 ? 0 : (int64_t)(next() % 4);
    case 1:
        return row == 1 ? 1 : 2 + (int64_t)(next() % 9);
    case 2:
        return row == 2 ? -1 : (int64_t)(next() % 2);
    case 3:
        return (int64_t)(next() % 41) - 20;
    case 4:
        return (int64_t)(next() % 101);
    case 5:
        return extremes[next() % (sizeof extremes / sizeof *extremes)];
    case 6:
        return (int64_t)next();
    default:
        return next() % 2 ? (int64_t)(next() % 21) - 10
                          : extremes[next() % (sizeof extremes / sizeof *extremes)];
    }
}

int __VERIFIER_nondet_int(void) { return (int)value(); }
unsigned __VERIFIER_nondet_uint(void) { return (unsigned)value(); }
long __VERIFIER_nondet_long(void) { return (long)value(); }
signed char __VERIFIER_nondet_schar(void) { return (signed char)value(); }
unsigned char __VERIFIER_nondet_uchar(void) { return (unsigned char)value(); }
short __VERIFIER_nondet_short(void) { return (short)value(); }
unsigned short __VERIFIER_nondet_ushort(void) { return (unsigned short)value(); }

static const char *how(int status)
{
    if (WIFEXITED(status))
        return WEXITSTATUS(status) == LONG_RUN ? "long" : "ended";
    switch (WTERMSIG(status)) {
    case SIGILL:
    case SIGTRAP:
    case SIGFPE:
    case SIGABRT:
        return "undefined";
    case SIGSEGV:
        return "stack";
    default:
        return "killed";
    }
}

static uint64_t number(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 10) : otherwise;
}

__attribute__((constructor)) static void run_all(void)
{
    most = number("TURNS", 10000000);
    unsigned rows = (unsigned)number("ROWS", 24), first = 0;
    if (getenv("ONE")) {
        first = (unsigned)number("ONE", 0);
        rows = first + 1;
    }
    struct rlimit none = { 0, 0 };
    setrlimit(RLIMIT_CORE, &none);
    for (row = first; row < rows; row++) {
        state = row;
        fflush(stdout);
        pid_t child = fork();
        if (child == 0)
            return;
        int status;
        if (child < 0 || waitpid(child, &status, 0) != child)
            _exit(2);
        printf("%u %s %s\n", row, row % 8 < 5 ? "small" : "large", how(status));
    }
    fflush(stdout);
    _exit(0);
}
