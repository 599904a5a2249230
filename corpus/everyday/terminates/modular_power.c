// Ends: the exponent is shifted right until it is zero.
#include <stdint.h>
#include <stdio.h>

extern unsigned int __VERIFIER_nondet_uint(void);

static uint32_t power_mod(uint32_t base, uint32_t exp, uint32_t mod)
{
    uint64_t result = 1 % mod;
    uint64_t b = base % mod;
    while (exp) {
        if (exp & 1)
            result = result * b % mod;
        b = b * b % mod;
        exp >>= 1;
    }
    return (uint32_t)result;
}

int main(void)
{
    uint32_t mod = __VERIFIER_nondet_uint();
    if (mod == 0)
        mod = 1000000007u;
    printf("%u\n", power_mod(__VERIFIER_nondet_uint(), __VERIFIER_nondet_uint(), mod));
    return 0;
}
