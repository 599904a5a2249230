// Ends: the bound doubles from one up to n, then the interval halves.
#include <stdio.h>

extern unsigned int __VERIFIER_nondet_uint(void);

#define N 200u

static unsigned a[N];

static unsigned bisect(unsigned lo, unsigned hi, unsigned key)
{
    while (lo < hi) {
        unsigned mid = lo + (hi - lo) / 2;
        if (a[mid] < key)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static unsigned exponential_search(unsigned n, unsigned key)
{
    unsigned bound = 1;
    while (bound < n && a[bound] < key)
        bound *= 2;
    return bisect(bound / 2, bound < n ? bound : n, key);
}

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint() % N;
    for (unsigned i = 0; i < n; i++)
        a[i] = 3 * i + 1;
    printf("%u\n", exponential_search(n, __VERIFIER_nondet_uint()));
    return 0;
}
