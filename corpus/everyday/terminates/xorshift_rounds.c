// Ends: the number of tries is counted down, whatever the generator gives.
#include <stdint.h>

extern unsigned int __VERIFIER_nondet_uint(void);

static uint32_t state;

static uint32_t xorshift(void)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

static int pick_below(uint32_t bound, uint32_t *out)
{
    int tries = 100;
    while (tries-- > 0) {
        uint32_t x = xorshift() & 0xff;
        if (x < bound) {
            *out = x;
            return 1;
        }
    }
    return 0;
}

int main(void)
{
    uint32_t x = 0;
    state = __VERIFIER_nondet_uint();
    if (!pick_below(__VERIFIER_nondet_uint(), &x))
        return 1;
    return x > 255;
}
