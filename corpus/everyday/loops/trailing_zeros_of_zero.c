// Endless for 0: there is no set bit to be shifted down.
#include <stdint.h>

extern unsigned int __VERIFIER_nondet_uint(void);

static unsigned trailing_zeros(uint32_t x)
{
    unsigned n = 0;
    while (!(x & 1)) {
        x >>= 1;
        n++;
    }
    return n;
}

int main(void)
{
    uint32_t size = __VERIFIER_nondet_uint();
    unsigned shift = trailing_zeros(size);
    return shift > 31;
}
