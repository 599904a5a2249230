// Ends: the remainder is smaller than the divisor, which it replaces.
#include <stdio.h>

extern unsigned int __VERIFIER_nondet_uint(void);

static unsigned gcd(unsigned a, unsigned b)
{
    while (b != 0) {
        unsigned r = a % b;
        a = b;
        b = r;
    }
    return a;
}

static unsigned long lcm(unsigned a, unsigned b)
{
    unsigned g = gcd(a, b);
    return g == 0 ? 0 : (unsigned long)(a / g) * b;
}

int main(void)
{
    unsigned x = __VERIFIER_nondet_uint();
    unsigned y = __VERIFIER_nondet_uint();
    printf("%u %lu\n", gcd(x, y), lcm(x, y));
    return 0;
}
