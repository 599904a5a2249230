// Ends: each nested call is made after a character was consumed, and each operator loop consumes its operator.
#include <stdio.h>

extern char __VERIFIER_nondet_char(void);

static unsigned expr(const char **s);

static void blanks(const char **s)
{
    while (**s == ' ')
        ++*s;
}

static unsigned factor(const char **s)
{
    unsigned v = 0;
    blanks(s);
    if (**s == '(') {
        ++*s;
        v = expr(s);
        blanks(s);
        if (**s == ')')
            ++*s;
        return v;
    }
    if (**s == '-') {
        ++*s;
        return 0u - factor(s);
    }
    while (**s >= '0' && **s <= '9')
        v = v * 10 + (unsigned)(*(*s)++ - '0');
    return v;
}

static unsigned term(const char **s)
{
    unsigned v = factor(s);
    for (blanks(s); **s == '*'; blanks(s)) {
        ++*s;
        v *= factor(s);
    }
    return v;
}

static unsigned expr(const char **s)
{
    unsigned v = term(s);
    for (blanks(s); **s == '+'; blanks(s)) {
        ++*s;
        v += term(s);
    }
    return v;
}

int main(void)
{
    char text[28];
    for (int i = 0; i < 27; i++)
        text[i] = __VERIFIER_nondet_char();
    text[27] = '\0';
    const char *p = text, *q = "2 * (3 + 4) * -(1+1)";
    unsigned a = expr(&p);
    printf("%u %u\n", a, expr(&q));
    return 0;
}
