// Ends: a value that is accepted consumes text, and nesting descends only past a bracket.
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>

static void ws(const char **p)
{
    while (isspace((unsigned char)**p))
        (*p)++;
}

static bool string(const char **p)
{
    if (**p != '"')
        return false;
    (*p)++;
    while (**p && **p != '"') {
        if (**p == '\\' && (*p)[1])
            (*p)++;
        (*p)++;
    }
    if (!**p)
        return false;
    (*p)++;
    return true;
}

static bool value(const char **p)
{
    ws(p);
    if (**p == '"')
        return string(p);
    if (isdigit((unsigned char)**p)) {
        while (isdigit((unsigned char)**p))
            (*p)++;
        return true;
    }
    if (**p != '[')
        return false;
    (*p)++;
    ws(p);
    if (**p == ']') {
        (*p)++;
        return true;
    }
    while (value(p)) {
        ws(p);
        char c = **p;
        if (c != ',' && c != ']')
            return false;
        (*p)++;
        if (c == ']')
            return true;
    }
    return false;
}

int main(int argc, char **argv)
{
    char buf[200];
    const char *p = argc > 1 ? argv[1] : "[1, [\"a\\\"b\", 22], []]";
    puts(value(&p) ? "ok" : "bad");
    if (fgets(buf, sizeof buf, stdin)) {
        p = buf;
        puts(value(&p) ? "ok" : "bad");
    }
    return 0;
}
