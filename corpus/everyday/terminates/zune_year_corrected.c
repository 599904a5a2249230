// Ends: the day count falls by a whole year in each round, and the last day of a leap year leaves the loop.
#include <stdbool.h>
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

static bool leap(int y)
{
    return (y % 4 == 0 && y % 100 != 0) || y % 400 == 0;
}

static int length_of(int year)
{
    return leap(year) ? 366 : 365;
}

static int year_of_day(int days, int *rest)
{
    int year = 1980;
    while (days > length_of(year)) {
        days -= length_of(year);
        year++;
    }
    *rest = days;
    return year;
}

int main(void)
{
    int d = __VERIFIER_nondet_int(), rest;
    if (d < 1)
        return 1;
    int y = year_of_day(d, &rest);
    printf("day %d of %d\n", rest, y);
    return 0;
}
