// Endless for a base of 1: dividing by one does not make the value smaller.
#include <stdio.h>
#include <stdlib.h>

static int digits_needed(unsigned value, unsigned base)
{
    unsigned n = 0;
    while (value > 0) {
        value /= base;
        n++;
    }
    return n > 32 ? 32 : (int)n;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 1;
    unsigned value = (unsigned)strtoul(argv[1], NULL, 10);
    unsigned base = (unsigned)strtoul(argv[2], NULL, 10);
    if (base == 0)
        return 1;
    printf("%d\n", digits_needed(value, base));
    return 0;
}
