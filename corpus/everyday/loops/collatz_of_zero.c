// Endless for 0: half of zero is zero, and one is never reached.
#include <stdio.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static unsigned long step(unsigned long n)
{
    return n & 1 ? 3 * n + 1 : n >> 1;
}

int main(void)
{
    unsigned long n = __VERIFIER_nondet_uchar();
    unsigned count = 0;
    while (n != 1) {
        n = step(n);
        count++;
    }
    printf("%u\n", count);
    return 0;
}
