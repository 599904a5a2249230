/* Factorials, and binomial coefficients from them. */
#include <stdio.h>

static unsigned long long factorial(int n)
{
    if (n <= 1)
        return 1;
    return n * factorial(n - 1);
}

static int binomial(int n, int k)
{
    if (k < 0 || k > n)
        return 0;
    if (k == 0 || k == n)
        return 1;
    return binomial(n - 1, k - 1) + binomial(n - 1, k);
}

int main(void)
{
    int n, k;
    if (scanf("%d %d", &n, &k) != 2 || n > 30)
        return 1;
    printf("%llu %d\n", factorial(n), binomial(n, k));
    return 0;
}
