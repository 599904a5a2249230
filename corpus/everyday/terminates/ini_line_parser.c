// Ends: at most twenty lines are read, and inside a line every cursor only moves forward.
#include <ctype.h>
#include <stdio.h>
#include <string.h>

static char *skip_blank(char *s)
{
    while (*s == ' ' || *s == '\t')
        s++;
    return s;
}

static int parse_line(char *line, char **key, char **val)
{
    char *p = skip_blank(line);
    if (*p == '\0' || *p == '\n' || *p == ';' || *p == '#')
        return 0;
    if (*p == '[')
        return strchr(p, ']') ? 2 : -1;
    *key = p;
    while (isalnum((unsigned char)*p) || *p == '_')
        p++;
    char *end = p;
    p = skip_blank(p);
    if (*p != '=')
        return -1;
    *end = '\0';
    *val = skip_blank(p + 1);
    size_t n = strlen(*val);
    while (n && isspace((unsigned char)(*val)[n - 1]))
        n--;
    (*val)[n] = '\0';
    return 1;
}

int main(void)
{
    char line[120], *k, *v;
    int number = 0;
    while (number < 20 && fgets(line, sizeof line, stdin)) {
        number++;
        int r = parse_line(line, &k, &v);
        if (r == 1)
            printf("%s -> %s\n", k, v);
        else if (r < 0)
            fprintf(stderr, "line %d is wrong\n", number);
    }
    return 0;
}
