#include "buffer.h"

unsigned digits(unsigned long number)
{
    unsigned count = 1;
    while (number >= 10) {
        number /= 10;
        count++;
    }
    return count;
}

int middle(int low, int high)
{
    while (low < high) {
        low++;
        high--;
    }
    return low;
}

/* Nobody has proved that this ends for every number. */
unsigned steps(unsigned long number)
{
    unsigned count = 0;
    while (number != 1) {
        number = number % 2 == 0 ? number / 2 : 3 * number + 1;
        count++;
    }
    return count;
}
