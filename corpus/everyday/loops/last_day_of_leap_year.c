// Endless for day 366 (the last day of 1980): more than 365 days are left, but not more than 366.
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

#define EPOCH 1980

struct when {
    int year, day;
};

static int is_leap(int y)
{
    if (y % 400 == 0)
        return 1;
    return y % 4 == 0 && y % 100 != 0;
}

static struct when from_days(int count)
{
    struct when w = { EPOCH, count };
    while (w.day > 365) {
        if (!is_leap(w.year)) {
            w.day -= 365;
            w.year += 1;
        } else if (w.day > 366) {
            w.day -= 366;
            w.year += 1;
        }
    }
    return w;
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 100000)
        return 1;
    struct when w = from_days(n);
    printf("%d/%d\n", w.year, w.day);
    return 0;
}
