// Ends: the exponent is halved in the call, and the naive variant counts it down.
#include <stdio.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static unsigned fast(unsigned base, unsigned e)
{
    if (e == 0)
        return 1;
    unsigned half = fast(base, e / 2);
    return e % 2 ? half * half * base : half * half;
}

static unsigned naive(unsigned base, unsigned e)
{
    unsigned r = 1;
    while (e-- != 0)
        r *= base;
    return r;
}

int main(void)
{
    unsigned b = __VERIFIER_nondet_uchar();
    unsigned e = __VERIFIER_nondet_uchar();
    puts(fast(b, e) == naive(b, e) ? "same" : "different");
    return 0;
}
