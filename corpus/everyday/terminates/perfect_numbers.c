// Ends: the candidates rise to the limit and the divisors to half the candidate.
#include <stdio.h>
#include <stdlib.h>

static int divisor_sum(int n)
{
    int sum = 0;
    for (int d = 1; d <= n / 2; d++)
        if (n % d == 0)
            sum += d;
    return sum;
}

int main(int argc, char *argv[])
{
    int limit = 500;
    if (argc > 1)
        limit = atoi(argv[1]);
    if (limit > 10000)
        limit = 10000;
    for (int n = 2; n <= limit; n++)
        if (divisor_sum(n) == n)
            printf("%d\n", n);
    return 0;
}
