// Ends: the start index climbs to the terminator at most, the end index falls to the start at most.
#include <ctype.h>
#include <stdio.h>
#include <string.h>

extern char __VERIFIER_nondet_char(void);

static char *ltrim(char *s)
{
    while (isspace((unsigned char)*s))
        s++;
    return s;
}

static void rtrim(char *s)
{
    size_t n = strlen(s);
    while (n > 0 && isspace((unsigned char)s[n - 1]))
        s[--n] = '\0';
}

int main(void)
{
    char line[40];
    for (int i = 0; i < 39; i++)
        line[i] = __VERIFIER_nondet_char();
    line[39] = '\0';
    char *p = ltrim(line);
    rtrim(p);
    printf("[%s]\n", p);
    return 0;
}
