// Endless for n == 3: the estimate jumps between 1 and 2 and never repeats itself.
#include <stdio.h>

extern unsigned int __VERIFIER_nondet_uint(void);

static unsigned isqrt(unsigned n)
{
    unsigned x = n, previous = 0;
    while (x != previous) {
        previous = x;
        x = (x + n / x) / 2;
    }
    return x;
}

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    if (n == 0 || n > 1000000)
        return 1;
    printf("%u\n", isqrt(n));
    return 0;
}
