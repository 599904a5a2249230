/* Modular power: the exponent is halved. */
#include <stdint.h>
extern unsigned __VERIFIER_nondet_uint(void);
static uint64_t power(uint64_t base, uint64_t exp, uint64_t mod)
{
    uint64_t result = 1;
    base %= mod;
    while (exp > 0) {
        if (exp & 1)
            result = result * base % mod;
        base = base * base % mod;
        exp >>= 1;
    }
    return result;
}
int main(void)
{
    uint64_t b = __VERIFIER_nondet_uint(), e = __VERIFIER_nondet_uint(), m = __VERIFIER_nondet_uint();
    if (m == 0)
        return 0;
    return power(b, e, m) == 1;
}
