// Ends: one pass over a buffer that was filled once and has a terminator.
#include <ctype.h>
#include <stdio.h>

struct counts {
    int chars, words, lines;
};

static struct counts wc(const char *s)
{
    struct counts c = {0, 0, 0};
    int inside = 0;
    while (*s != '\0') {
        c.chars++;
        if (*s == '\n')
            c.lines++;
        if (isspace((unsigned char)*s)) {
            inside = 0;
        } else if (!inside) {
            inside = 1;
            c.words++;
        }
        s++;
    }
    return c;
}

int main(void)
{
    char buf[512];
    size_t n = fread(buf, 1, sizeof buf - 1, stdin);
    buf[n] = '\0';
    struct counts c = wc(buf);
    printf("%d %d %d\n", c.lines, c.words, c.chars);
    return 0;
}
