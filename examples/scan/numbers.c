#include <limits.h>

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

/* Every number that fits has been tried, with more patience than Ouro has, and each came to 1 or became too large.
   No argument is known that would say so of all numbers. */
unsigned steps(unsigned long number)
{
    unsigned count = 0;
    while (number > 1 && number <= ULONG_MAX / 4) {
        number = number % 2 == 0 ? number / 2 : 3 * number + 1;
        count++;
    }
    return count;
}
