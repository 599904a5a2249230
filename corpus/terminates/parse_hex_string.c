/* Reads a hexadecimal number from the command line. */
#include <stdio.h>

static int digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 1;
    const char *p = argv[1];
    unsigned long value = 0;
    if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X'))
        p += 2;
    int d;
    while ((d = digit(*p)) >= 0) {
        value = value << 4 | (unsigned long)d;
        p++;
    }
    if (*p != '\0')
        return 1;
    printf("%lu\n", value);
    return 0;
}
