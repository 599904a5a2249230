// Endless for limits of one and more: the outer loop starts at zero, whose multiples do not grow.
#include <stdio.h>
#include <string.h>

extern unsigned int __VERIFIER_nondet_uint(void);

#define MAX 1000u

static char composite[MAX];

static void strike(unsigned p, unsigned limit)
{
    for (unsigned m = 2 * p; m < limit; m += p)
        composite[m] = 1;
}

int main(void)
{
    unsigned limit = __VERIFIER_nondet_uint();
    if (limit > MAX)
        limit = MAX;
    memset(composite, 0, sizeof composite);
    for (unsigned p = 0; p < limit; p++)
        if (!composite[p])
            strike(p, limit);
    printf("%d\n", composite[7]);
    return 0;
}
