// Endless for the date 31.4.: the days of two-digit years go round and never are that date.
#include <stdio.h>

struct date {
    int d, m, yy;
};

static const int len[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };

static void advance(struct date *t)
{
    t->d++;
    if (t->d > len[t->m - 1] + (t->m == 2 && t->yy % 4 == 0)) {
        t->d = 1;
        t->m++;
    }
    if (t->m > 12) {
        t->m = 1;
        t->yy = (t->yy + 1) % 100;
    }
}

static int same(const struct date *a, const struct date *b)
{
    return a->d == b->d && a->m == b->m && a->yy == b->yy;
}

int main(void)
{
    struct date today = { 1, 1, 24 }, due;
    unsigned days = 0;
    if (scanf("%d.%d.%d", &due.d, &due.m, &due.yy) != 3)
        return 1;
    if (due.d < 1 || due.d > 31 || due.m < 1 || due.m > 12 || due.yy < 0 || due.yy > 99)
        return 1;
    while (!same(&today, &due)) {
        advance(&today);
        days++;
    }
    printf("%u days to go\n", days);
    return 0;
}
