// Endless for the start 1 and the step 2: only odd slots are probed, and the free one is even.
#include <stdint.h>
#include <stdio.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

#define SLOTS 16

static int used[SLOTS];

static int free_slot(uint8_t start, uint8_t step)
{
    uint8_t i = start % SLOTS;
    while (used[i])
        i = (uint8_t)(i + step) % SLOTS;
    return i;
}

int main(void)
{
    for (int i = 0; i < SLOTS; i++)
        used[i] = i != 8;
    uint8_t start = __VERIFIER_nondet_uchar();
    uint8_t step = __VERIFIER_nondet_uchar();
    printf("%d\n", free_slot(start, step));
    return 0;
}
