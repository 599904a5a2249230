/* Hexadecimal digits from input until something else comes. */
#include <stdio.h>
int main(void)
{
    char line[80];
    unsigned v = 0;
    if (!fgets(line, sizeof line, stdin))
        return 1;
    for (char *p = line; *p; p++) {
        int d;
        if (*p >= '0' && *p <= '9')
            d = *p - '0';
        else if (*p >= 'a' && *p <= 'f')
            d = *p - 'a' + 10;
        else
            break;
        v = v << 4 | d;
    }
    printf("%u\n", v);
    return 0;
}
