// Endless for the weekday 7: the calendar counts the days of the week from 0 to 6.
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

static int day_after(int weekday)
{
    return (weekday + 1) % 7;
}

static unsigned days_until(int today, int wanted)
{
    unsigned n = 0;
    do {
        today = day_after(today);
        n++;
    } while (today != wanted);
    return n;
}

int main(void)
{
    int wanted = __VERIFIER_nondet_int();
    if (wanted < 1 || wanted > 7) {
        puts("1 is Monday, 7 is Sunday");
        return 1;
    }
    printf("in %u days\n", days_until(3, wanted));
    return 0;
}
