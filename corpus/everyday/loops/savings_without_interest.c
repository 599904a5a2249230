// Endless for a start of, say, 10 cents at 1 percent: the interest is rounded down to nothing every year.
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

static long add_year(long cents, int percent)
{
    return cents + cents * percent / 100;
}

static unsigned years_to_double(long cents, int percent)
{
    long goal = 2 * cents;
    unsigned years = 0;
    while (cents < goal) {
        cents = add_year(cents, percent);
        years++;
    }
    return years;
}

int main(void)
{
    int start = __VERIFIER_nondet_int(), percent = __VERIFIER_nondet_int();
    if (start < 1 || start > 100000 || percent < 1 || percent > 20)
        return 1;
    printf("%u years\n", years_to_double(start, percent));
    return 0;
}
