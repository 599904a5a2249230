/* Thirty-one days a month pass the date that is looked for. */
#include <stdio.h>

int main(void)
{
    int day = 1, month = 1, want;
    if (scanf("%d", &want) != 1)
        return 1;
    while (day != want) {
        day++;
        if (day > 31) {
            day = 1;
            month = month % 12 + 1;
        }
    }
    return month;
}
