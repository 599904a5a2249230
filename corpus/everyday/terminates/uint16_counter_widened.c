// Ends: the limit is an uint16_t and the counter is wider, so it gets past the limit.
#include <stdint.h>

extern unsigned short __VERIFIER_nondet_ushort(void);

static uint16_t checksum(uint16_t last)
{
    uint16_t sum = 0;
    for (uint32_t i = 0; i <= last; i++)
        sum = (uint16_t)(sum * 31u + i);
    return sum;
}

int main(void)
{
    return checksum(__VERIFIER_nondet_ushort()) & 0x7f;
}
