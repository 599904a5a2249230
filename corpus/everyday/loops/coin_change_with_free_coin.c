// Endless for a coin of value 0: taking it does not lower the rest.
#include <stdio.h>

extern unsigned int __VERIFIER_nondet_uint(void);

static unsigned take(unsigned *rest, unsigned coin)
{
    unsigned n = 0;
    while (*rest >= coin) {
        *rest -= coin;
        n++;
    }
    return n;
}

int main(void)
{
    unsigned custom = __VERIFIER_nondet_uint();
    unsigned coins[] = {50, 20, custom, 1};
    unsigned rest = __VERIFIER_nondet_uint() % 1000, total = 0;
    for (int i = 0; i < 4; i++)
        total += take(&rest, coins[i]);
    printf("%u coins\n", total);
    return 0;
}
