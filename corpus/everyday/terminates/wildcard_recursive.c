// Ends: every recursive call shortens the pattern or the text and lengthens neither.
#include <stdio.h>

static int match(const char *p, const char *s)
{
    switch (*p) {
    case '\0':
        return *s == '\0';
    case '*':
        return match(p + 1, s) || (*s && match(p, s + 1));
    case '?':
        return *s && match(p + 1, s + 1);
    default:
        return *s == *p && match(p + 1, s + 1);
    }
}

int main(int argc, char **argv)
{
    static const char *names[] = { "main.c", "readme.txt", "Makefile", "util.c" };
    const char *pattern = argc > 1 ? argv[1] : "*.c";
    int hits = 0;
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
        if (match(pattern, names[i])) {
            puts(names[i]);
            hits++;
        }
    return hits == 0;
}
