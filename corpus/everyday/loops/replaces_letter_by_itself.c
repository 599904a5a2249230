// Endless if the wanted and the new letter are the same and occur in the text: the search finds it again.
#include <stdio.h>
#include <string.h>

extern char __VERIFIER_nondet_char(void);

static unsigned replace_all(char *s, char from, char to)
{
    unsigned n = 0;
    char *p;
    while ((p = strchr(s, from)) != NULL) {
        *p = to;
        n++;
    }
    return n;
}

int main(void)
{
    char line[] = "hello world";
    char from = __VERIFIER_nondet_char(), to = __VERIFIER_nondet_char();
    if (from == '\0' || to == '\0')
        return 1;
    printf("%u\n", replace_all(line, from, to));
    return 0;
}
