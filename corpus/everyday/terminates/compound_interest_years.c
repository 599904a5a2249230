// Ends: the capital in whole cents grows by at least one cent a year until it passes the target.
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

static long long interest(long long cents, int permille)
{
    return cents * permille / 1000;
}

static int years_until(long long cents, long long target, int permille)
{
    int years = 0;
    while (cents < target) {
        long long gain = interest(cents, permille);
        if (gain < 1)
            gain = 1;
        cents += gain;
        years++;
    }
    return years;
}

int main(void)
{
    int start = __VERIFIER_nondet_int();
    int rate = __VERIFIER_nondet_int();
    if (start < 100 || start > 1000000)
        return 1;
    if (rate < 0 || rate > 200)
        return 1;
    printf("%d years\n", years_until(start, 2000000, rate));
    return 0;
}
