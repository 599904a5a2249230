// Ends: m falls, or stays while n falls, in each nested call.
#include <stdio.h>

extern unsigned int __VERIFIER_nondet_uint(void);

static unsigned ackermann(unsigned m, unsigned n)
{
    if (m == 0)
        return n + 1;
    if (n == 0)
        return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}

int main(void)
{
    unsigned m = __VERIFIER_nondet_uint();
    unsigned n = __VERIFIER_nondet_uint();
    if (m > 2 || n > 6)
        return 1;
    printf("%u\n", ackermann(m, n));
    return 0;
}
