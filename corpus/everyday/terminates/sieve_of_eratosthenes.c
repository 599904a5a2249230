// Ends: the multiples of p grow by p, which is at least two.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static void strike(char *composite, int limit, int p)
{
    for (int m = p * p; m <= limit; m += p)
        composite[m] = 1;
}

static int count_primes(int limit)
{
    char *composite = calloc((size_t)limit + 1, 1);
    if (!composite)
        return -1;
    int count = 0;
    for (int p = 2; p <= limit; p++) {
        if (composite[p])
            continue;
        count++;
        if (p <= limit / p)
            strike(composite, limit, p);
    }
    free(composite);
    return count;
}

int main(void)
{
    int limit = __VERIFIER_nondet_int();
    if (limit < 2 || limit > 1000000)
        limit = 100;
    return count_primes(limit) < 0;
}
