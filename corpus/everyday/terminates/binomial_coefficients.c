// Ends: i counts up to k, and rows up to a constant.
#include <stdio.h>

static unsigned long long binomial(unsigned n, unsigned k)
{
    unsigned long long r = 1;
    if (k > n)
        return 0;
    if (k > n - k)
        k = n - k;
    for (unsigned i = 1; i <= k; i++) {
        r *= n - k + i;
        r /= i;
    }
    return r;
}

int main(void)
{
    for (unsigned n = 0; n <= 20; n++) {
        for (unsigned k = 0; k <= n; k++)
            printf("%llu ", binomial(n, k));
        printf("\n");
    }
    return 0;
}
