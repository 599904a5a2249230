// Endless for 1: the feedback register runs round the non-zero states and never gets to zero.
#include <stdint.h>

extern unsigned short __VERIFIER_nondet_ushort(void);

static uint16_t shift(uint16_t lfsr)
{
    unsigned bit = lfsr & 1u;
    lfsr >>= 1;
    if (bit)
        lfsr ^= 0xB400u;
    return lfsr;
}

int main(void)
{
    uint16_t state = __VERIFIER_nondet_ushort();
    uint16_t period = 0;
    while (state != 0) {
        state = shift(state);
        period++;
    }
    return period != 0;
}
