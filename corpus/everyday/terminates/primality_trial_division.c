// Ends: the divisor rises until its quotient is below it.
#include <stdbool.h>
#include <stdio.h>

static bool is_prime(unsigned n)
{
    if (n < 4)
        return n >= 2;
    if (n % 2 == 0 || n % 3 == 0)
        return false;
    for (unsigned d = 5; d <= n / d; d += 6)
        if (n % d == 0 || n % (d + 2) == 0)
            return false;
    return true;
}

int main(void)
{
    unsigned n;
    if (scanf("%u", &n) != 1)
        return 1;
    printf("%u is %sprime\n", n, is_prime(n) ? "" : "not ");
    return 0;
}
