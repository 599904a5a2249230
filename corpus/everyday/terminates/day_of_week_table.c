// Ends: three nested counters for years, months and days, each with a fixed limit.
#include <stdio.h>

static int leap(int y)
{
    return y % 4 == 0 && (y % 100 != 0 || y % 400 == 0);
}

static int days_in(int y, int m)
{
    static const int len[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    return m == 2 ? len[1] + leap(y) : len[m - 1];
}

static int weekday(int y, int m, int d)
{
    static const int t[] = { 0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4 };
    if (m < 3)
        y--;
    return (y + y / 4 - y / 100 + y / 400 + t[m - 1] + d) % 7;
}

int main(void)
{
    int fridays = 0;
    for (int y = 1990; y < 2030; ++y)
        for (int m = 1; m <= 12; ++m)
            for (int d = 1; d <= days_in(y, m); ++d)
                if (d == 13 && weekday(y, m, d) == 5)
                    fridays++;
    printf("%d black Fridays\n", fridays);
    return 0;
}
