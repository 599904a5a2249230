/* In leap years, the 366th day is left. */
#include <stdio.h>

static int leap(int y)
{
    return y % 4 == 0;
}

int main(void)
{
    int days, year = 2000;
    if (scanf("%d", &days) != 1)
        return 1;
    while (days > 365) {
        if (leap(year)) {
            if (days > 366) {
                days -= 366;
                year++;
            }
        } else {
            days -= 365;
            year++;
        }
    }
    printf("%d\n", year);
    return 0;
}
