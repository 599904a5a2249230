// Ends: n shrinks by a division or the divisor rises towards the root of n.
#include <stdio.h>

extern unsigned int __VERIFIER_nondet_uint(void);

static unsigned strip(unsigned n, unsigned p, int *times)
{
    *times = 0;
    while (n % p == 0) {
        n /= p;
        ++*times;
    }
    return n;
}

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    if (n == 0)
        return 1;
    for (unsigned p = 2; p <= n / p; p++) {
        int times;
        n = strip(n, p, &times);
        if (times > 0)
            printf("%u^%d ", p, times);
    }
    if (n > 1)
        printf("%u", n);
    putchar('\n');
    return 0;
}
