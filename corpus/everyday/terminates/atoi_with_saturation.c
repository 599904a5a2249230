// Ends: the cursor moves forward over digits of a terminated string.
#include <limits.h>
#include <stdio.h>

static int parse_int(const char *s)
{
    int sign = 1, n = 0;
    while (*s == ' ')
        s++;
    if (*s == '-' || *s == '+') {
        if (*s == '-')
            sign = -1;
        s++;
    }
    for (; *s >= '0' && *s <= '9'; s++) {
        int d = *s - '0';
        if (n > (INT_MAX - d) / 10)
            n = INT_MAX;
        else
            n = n * 10 + d;
    }
    return sign * n;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        printf("%d\n", parse_int(argv[i]));
    printf("%d\n", parse_int("  -99999999999"));
    return 0;
}
