// Endless for 12 and 0: subtracting zero changes nothing.
#include <stdio.h>

extern unsigned int __VERIFIER_nondet_uint(void);

static unsigned gcd(unsigned a, unsigned b)
{
    while (a != b) {
        if (a > b)
            a -= b;
        else
            b -= a;
    }
    return a;
}

int main(void)
{
    unsigned a = __VERIFIER_nondet_uint();
    unsigned b = __VERIFIER_nondet_uint();
    printf("%u/%u\n", a, b);
    printf("gcd %u\n", gcd(a, b));
    return 0;
}
