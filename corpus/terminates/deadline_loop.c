/* Polls until a budget of time is used up; each poll costs at least one unit. */
#include <stdio.h>

extern int poll_device(void);

int main(void)
{
    int budget = 1000;
    int step = 1;
    while (budget > 0) {
        int ready = poll_device();
        if (ready > 0)
            break;
        budget -= step;
        if (step < 64)
            step <<= 1;
    }
    printf("%d\n", budget);
    return 0;
}
