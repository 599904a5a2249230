// Ends: each round consumes one or three characters, and three only when all three are there.
#include <stdio.h>

static int hex(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

static void url_decode(char *s)
{
    char *w = s;
    while (*s) {
        if (*s == '%' && hex(s[1]) >= 0 && hex(s[2]) >= 0) {
            *w++ = (char)(hex(s[1]) * 16 + hex(s[2]));
            s += 3;
        } else if (*s == '+') {
            *w++ = ' ';
            s++;
        } else {
            *w++ = *s++;
        }
    }
    *w = '\0';
}

int main(void)
{
    char query[256];
    if (fgets(query, sizeof query, stdin) == NULL)
        return 1;
    url_decode(query);
    fputs(query, stdout);
    return 0;
}
