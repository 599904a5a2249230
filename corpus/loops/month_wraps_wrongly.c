/* The month goes from 12 to 1 and the year changes at 13 only. */
#include <stdio.h>

int main(void)
{
    int year = 2020, month = 1, until;
    if (scanf("%d", &until) != 1)
        return 1;
    while (year < until) {
        month++;
        if (month > 12)
            month = 1;
        if (month == 13)
            year++;
    }
    printf("%d\n", month);
    return 0;
}
