// Endless for negative numbers: the arithmetic shift to the right ends in -1 and stays there.
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

static int bit_length(int x)
{
    int n = 0;
    while (x != 0) {
        x >>= 1;
        if (n < 32)
            n++;
    }
    return n;
}

int main(void)
{
    int x = __VERIFIER_nondet_int();
    printf("%d\n", bit_length(x));
    return 0;
}
