// Endless for a text with a comma, e.g. "a,b": the comma is no known token and is never consumed.
#include <ctype.h>
#include <stdio.h>

extern char __VERIFIER_nondet_char(void);

static int word(const char *s, int i)
{
    while (isalpha((unsigned char)s[i]))
        i++;
    return i;
}

static int number(const char *s, int i)
{
    while (isdigit((unsigned char)s[i]))
        i++;
    return i;
}

int main(void)
{
    char s[4];
    unsigned words = 0, numbers = 0;
    for (int i = 0; i < 3; i++)
        s[i] = __VERIFIER_nondet_char();
    s[3] = '\0';
    int i = 0;
    while (s[i] != '\0') {
        if (isspace((unsigned char)s[i])) {
            i++;
        } else if (isalpha((unsigned char)s[i])) {
            i = word(s, i);
            words++;
        } else {
            i = number(s, i);
            numbers++;
        }
    }
    printf("%u %u\n", words, numbers);
    return 0;
}
