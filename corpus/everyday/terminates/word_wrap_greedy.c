// Ends: a line takes at least one character of the text, even where a word is longer than the line.
#include <stdio.h>
#include <string.h>

static size_t take_line(const char *s, size_t width)
{
    size_t n = strlen(s);
    if (n <= width)
        return n;
    for (size_t k = width; k > 0; k--)
        if (s[k] == ' ')
            return k;
    return width;
}

static void wrap(const char *s, size_t width)
{
    if (width == 0)
        width = 1;
    while (*s) {
        size_t n = take_line(s, width);
        printf("%.*s\n", (int)n, s);
        s += n;
        while (*s == ' ')
            s++;
    }
}

int main(int argc, char **argv)
{
    wrap(argc > 1 ? argv[1] : "a rather long sentence with an extraordinarily long word", 12);
    wrap("", 0);
    wrap("abc", 0);
    return 0;
}
