// Ends: an odd step visits all 256 values of the counter, so it meets zero.
#include <stdint.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static int rounds(uint8_t start, uint8_t step)
{
    int n = 0;
    while (start != 0) {
        start += step;
        n++;
    }
    return n;
}

int main(void)
{
    uint8_t start = __VERIFIER_nondet_uchar();
    return rounds(start, 5) > 255;
}
