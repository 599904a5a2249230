// Ends: the iteration stops as soon as the estimate does not fall any more.
#include <stdio.h>

extern unsigned int __VERIFIER_nondet_uint(void);

static unsigned isqrt(unsigned n)
{
    if (n < 2)
        return n;
    unsigned x = n / 2;
    unsigned y = (x + n / x) / 2;
    while (y < x) {
        x = y;
        y = (x + n / x) / 2;
    }
    return x;
}

int main(void)
{
    for (int i = 0; i < 3; i++) {
        unsigned n = __VERIFIER_nondet_uint();
        printf("%u -> %u\n", n, isqrt(n));
    }
    return 0;
}
