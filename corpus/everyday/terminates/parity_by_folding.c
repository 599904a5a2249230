// Ends: the width is halved down to zero; the 8-bit counter leaves by a break before it wraps.
#include <stdint.h>

extern unsigned long __VERIFIER_nondet_ulong(void);

static unsigned parity(uint64_t x)
{
    for (unsigned width = 32; width > 0; width /= 2)
        x ^= x >> width;
    return (unsigned)(x & 1);
}

int main(void)
{
    uint64_t base = __VERIFIER_nondet_ulong();
    unsigned odd = 0;
    for (uint8_t i = 0;; i++) {
        odd += parity(base ^ i);
        if (i == 255)
            break;
    }
    return odd == 128 ? 0 : 1;
}
