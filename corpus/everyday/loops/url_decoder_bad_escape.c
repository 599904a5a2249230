// Endless for a percent sign without two hex digits, e.g. "5%": neither branch steps over it.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

static char from_hex(const char *p)
{
    char two[3] = { p[0], p[1], '\0' };
    return (char)strtol(two, NULL, 16);
}

static void decode(const char *s, char *out)
{
    while (*s) {
        if (*s == '%') {
            if (isxdigit((unsigned char)s[1]) && isxdigit((unsigned char)s[2])) {
                *out++ = from_hex(s + 1);
                s += 3;
            }
        } else {
            *out++ = *s++;
        }
    }
    *out = '\0';
}

int main(void)
{
    char in[100], out[100];
    if (!fgets(in, sizeof in, stdin))
        return 1;
    decode(in, out);
    puts(out);
    return 0;
}
