// Endless for n == 1: the caller hands over the gap n / 2 == 0, and j does not move.
#include <stdio.h>

extern unsigned int __VERIFIER_nondet_uint(void);

static unsigned a[64];

static unsigned sum_of_column(unsigned n, unsigned gap)
{
    unsigned sum = 0;
    for (unsigned j = 0; j < n; j += gap)
        sum += a[j];
    return sum;
}

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 64)
        n = 64;
    for (unsigned i = 0; i < n; i++)
        a[i] = __VERIFIER_nondet_uint();
    printf("%u\n", sum_of_column(n, n / 2));
    return 0;
}
