// Ends: sizes above 2^31 are refused, so the doubling power reaches the size before it wraps.
#include <stdint.h>
#include <stdio.h>

extern unsigned int __VERIFIER_nondet_uint(void);

static uint32_t round_up(uint32_t n)
{
    uint32_t p = 1;
    while (p < n)
        p <<= 1;
    return p;
}

int main(void)
{
    uint32_t n = __VERIFIER_nondet_uint();
    if (n > UINT32_C(0x80000000)) {
        fprintf(stderr, "too large\n");
        return 1;
    }
    printf("%u\n", (unsigned)round_up(n));
    return 0;
}
