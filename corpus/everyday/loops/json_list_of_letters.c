// Endless for the list "[true]": only numbers and nested lists are consumed, the letter t stays where it is.
#include <ctype.h>
#include <stdio.h>

static void skip_value(const char **p);

static void skip_list(const char **p)
{
    ++*p;
    while (**p && **p != ']') {
        skip_value(p);
        while (**p == ',' || **p == ' ')
            ++*p;
    }
    if (**p == ']')
        ++*p;
}

static void skip_value(const char **p)
{
    if (**p == '[') {
        skip_list(p);
        return;
    }
    if (**p == '-')
        ++*p;
    while (isdigit((unsigned char)**p))
        ++*p;
}

int main(void)
{
    char line[100];
    const char *p = line;
    if (!fgets(line, sizeof line, stdin) || line[0] != '[')
        return 1;
    skip_value(&p);
    printf("rest: %s", p);
    return 0;
}
