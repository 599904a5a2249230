// Endless for the exponent 2: an even exponent is never reduced.
#include <stdint.h>

extern unsigned int __VERIFIER_nondet_uint(void);

static uint32_t power_mod(uint64_t b, uint32_t e, uint32_t m)
{
    uint64_t r = 1 % m;
    while (e > 0) {
        if (e % 2 == 1) {
            r = r * b % m;
            e--;
        } else {
            b = b * b % m;
        }
    }
    return (uint32_t)r;
}

int main(void)
{
    uint32_t b = __VERIFIER_nondet_uint();
    uint32_t e = __VERIFIER_nondet_uint();
    uint32_t m = __VERIFIER_nondet_uint();
    if (m == 0)
        return 1;
    return power_mod(b % m, e, m) == 1;
}
