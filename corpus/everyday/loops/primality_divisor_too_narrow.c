// Endless for 4294967291, the largest 32-bit prime: the square of a 16-bit divisor is never above it, and the divisor wraps.
#include <stdint.h>

extern unsigned int __VERIFIER_nondet_uint(void);

static int is_prime(uint32_t n)
{
    if (n % 2 == 0)
        return n == 2;
    for (uint16_t d = 3; (uint32_t)d * d <= n; d += 2) {
        if (n % d == 0 && d > 1)
            return 0;
    }
    return n > 1;
}

int main(void)
{
    return is_prime(__VERIFIER_nondet_uint());
}
