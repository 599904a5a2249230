// Ends: the earlier date is moved on day by day and cannot jump over the later one.
#include <stdio.h>

struct date {
    int y, m, d;
};

static int month_length(int y, int m)
{
    if (m == 2)
        return (y % 4 == 0 && y % 100) || y % 400 == 0 ? 29 : 28;
    return m == 4 || m == 6 || m == 9 || m == 11 ? 30 : 31;
}

static int before(struct date a, struct date b)
{
    if (a.y != b.y)
        return a.y < b.y;
    if (a.m != b.m)
        return a.m < b.m;
    return a.d < b.d;
}

static void tomorrow(struct date *t)
{
    if (++t->d > month_length(t->y, t->m)) {
        t->d = 1;
        if (++t->m > 12) {
            t->m = 1;
            t->y++;
        }
    }
}

int main(void)
{
    struct date a = {2000, 1, 1}, b;
    int n = 0;
    if (scanf("%d-%d-%d", &b.y, &b.m, &b.d) != 3)
        return 1;
    if (b.y < 1900 || b.y > 2200 || b.m < 1 || b.m > 12 || b.d < 1 || b.d > month_length(b.y, b.m))
        return 1;
    while (before(a, b)) {
        tomorrow(&a);
        n++;
    }
    printf("%d days\n", n);
    return 0;
}
