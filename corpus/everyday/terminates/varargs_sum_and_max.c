// Ends: the count that comes first tells how many arguments are read.
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

static long sum(int n, ...)
{
    va_list ap;
    long s = 0;
    va_start(ap, n);
    while (n-- > 0)
        s += va_arg(ap, int);
    va_end(ap);
    return s;
}

static int max_of(int n, ...)
{
    va_list ap;
    int best = INT_MIN;
    va_start(ap, n);
    for (int i = 0; i < n; i++) {
        int v = va_arg(ap, int);
        if (v > best)
            best = v;
    }
    va_end(ap);
    return best;
}

int main(void)
{
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    printf("%ld %d\n", sum(3, a, b, 7), max_of(4, a, b, 0, -5));
    return 0;
}
