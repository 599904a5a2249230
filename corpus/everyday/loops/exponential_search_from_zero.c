// Endless for a key above the first element: a bound of zero is doubled for ever.
#include <stdio.h>

extern unsigned int __VERIFIER_nondet_uint(void);

#define N 64u

static unsigned a[N];

static unsigned upper(unsigned n, unsigned key)
{
    unsigned bound = 0;
    while (bound < n && a[bound] < key)
        bound *= 2;
    return bound;
}

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint() % (N + 1);
    for (unsigned i = 0; i < n; i++)
        a[i] = i * 5;
    printf("%u\n", upper(n, __VERIFIER_nondet_uint()));
    return 0;
}
