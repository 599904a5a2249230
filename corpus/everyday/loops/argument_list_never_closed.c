// Endless for a call without a closing bracket, e.g. "f(1,2": at the end of the text no argument consumes anything.
#include <ctype.h>
#include <stdio.h>

static unsigned number(const char **s)
{
    unsigned v = 0;
    while (isdigit((unsigned char)**s)) {
        v = v * 10u + (unsigned)(**s - '0');
        ++*s;
    }
    return v;
}

static unsigned arguments(const char **s)
{
    unsigned sum = 0;
    while (**s != ')') {
        sum += number(s);
        if (**s == ',')
            ++*s;
    }
    ++*s;
    return sum;
}

static unsigned call(const char *s)
{
    while (isalpha((unsigned char)*s))
        s++;
    if (*s++ != '(')
        return 0;
    return arguments(&s);
}

int main(int argc, char **argv)
{
    printf("%u\n", call("add(1,20,300)"));
    if (argc > 1)
        printf("%u\n", call(argv[1]));
    return 0;
}
