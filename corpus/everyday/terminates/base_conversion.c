// Ends: the value is divided by a base that the caller has checked to be at least two.
#include <stdio.h>
#include <stdlib.h>

static int to_base(unsigned value, unsigned base, char *out)
{
    static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";
    char tmp[33];
    int n = 0;
    do {
        tmp[n++] = digits[value % base];
        value /= base;
    } while (value != 0);
    for (int i = 0; i < n; i++)
        out[i] = tmp[n - 1 - i];
    out[n] = '\0';
    return n;
}

int main(int argc, char **argv)
{
    char text[40];
    if (argc < 3)
        return 1;
    int base = atoi(argv[2]);
    if (base < 2 || base > 36)
        return 1;
    to_base((unsigned)strtoul(argv[1], NULL, 10), (unsigned)base, text);
    puts(text);
    return 0;
}
