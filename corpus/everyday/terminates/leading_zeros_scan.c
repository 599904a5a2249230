// Ends: the probe bit moves right and a set bit is met, since zero is handled before.
#include <stdint.h>
#include <stdio.h>

extern unsigned int __VERIFIER_nondet_uint(void);

static int leading_zeros(uint32_t x)
{
    if (x == 0)
        return 32;
    int n = 0;
    while (!(x & 0x80000000u)) {
        x <<= 1;
        n++;
    }
    return n;
}

static int trailing_zeros(uint32_t x)
{
    int n = 0;
    if (x == 0)
        return 32;
    for (uint32_t probe = 1; (x & probe) == 0; probe <<= 1)
        n++;
    return n;
}

int main(void)
{
    uint32_t x = __VERIFIER_nondet_uint();
    printf("%d %d\n", leading_zeros(x), trailing_zeros(x));
    return 0;
}
