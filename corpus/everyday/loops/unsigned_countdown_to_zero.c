// Endless for every n from 1 to 16: an unsigned index is always at least zero, and the wrapped one is masked.
#include <stdio.h>

extern unsigned int __VERIFIER_nondet_uint(void);

#define SIZE 16u

static unsigned ring[SIZE];

static unsigned fold(unsigned n, unsigned lowest)
{
    unsigned h = 0;
    for (unsigned i = n - 1; i >= lowest; i--)
        h = h * 33u ^ ring[i & (SIZE - 1)];
    return h;
}

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    if (n == 0 || n > SIZE)
        return 1;
    for (unsigned i = 0; i < n; i++)
        ring[i] = __VERIFIER_nondet_uint();
    printf("%u\n", fold(n, 0));
    return 0;
}
