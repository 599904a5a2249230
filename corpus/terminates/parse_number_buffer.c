/* A signed decimal number out of a line of input. */
#include <stdio.h>
int main(void)
{
    char line[64];
    const char *p = line;
    long value = 0;
    int negative = 0;
    if (fgets(line, sizeof line, stdin) == NULL)
        return 1;
    while (*p == ' ' || *p == '\t')
        p++;
    if (*p == '-') {
        negative = 1;
        p++;
    }
    while (*p >= '0' && *p <= '9') {
        value = (value * 10 + (*p - '0')) % 1000000007;
        p++;
    }
    printf("%ld\n", negative ? -value : value);
    return 0;
}
