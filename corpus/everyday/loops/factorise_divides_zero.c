// Endless for n == 0: zero is divisible by two as often as one likes.
#include <stdio.h>

extern unsigned int __VERIFIER_nondet_uint(void);

static unsigned twos(unsigned n)
{
    unsigned count = 0;
    while (n % 2 == 0) {
        n /= 2;
        count++;
    }
    return count;
}

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    printf("%u is divisible by 2^%u\n", n, twos(n));
    return 0;
}
