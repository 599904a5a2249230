/* The place of the terminator is overwritten before it is looked for, in a buffer that goes round. */
#include <stdio.h>

int main(void)
{
    char ring[8] = "abc";
    unsigned i = 0;
    ring[3] = '-';
    ring[4] = ring[5] = ring[6] = ring[7] = '.';
    while (ring[i % 8] != '\0')
        i++;
    return i;
}
