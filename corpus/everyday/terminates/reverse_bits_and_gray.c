// Ends: the bits are shifted out to the right, and the shift of the Gray decoder doubles to 32.
#include <stdint.h>

extern unsigned int __VERIFIER_nondet_uint(void);

static uint32_t reverse(uint32_t x)
{
    uint32_t r = 0;
    int left = 32;
    while (x) {
        r = (r << 1) | (x & 1);
        x >>= 1;
        left--;
    }
    return left < 32 ? r << left : r;
}

static uint32_t from_gray(uint32_t g)
{
    for (unsigned s = 1; s < 32; s <<= 1)
        g ^= g >> s;
    return g;
}

int main(void)
{
    uint32_t x = __VERIFIER_nondet_uint();
    uint32_t g = x ^ (x >> 1);
    return from_gray(g) == x && reverse(reverse(x)) == x ? 0 : 1;
}
