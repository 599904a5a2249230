// Endless for a word longer than the line: no blank is found, a line of length zero is printed and the text stays.
#include <stdio.h>
#include <string.h>

static int last_blank(const char *s, int width)
{
    int k = width;
    while (k > 0 && s[k] != ' ')
        k--;
    return k;
}

static void wrap(const char *s, int width)
{
    while (strlen(s) > (size_t)width) {
        int n = last_blank(s, width);
        printf("%.*s\n", n, s);
        s += n;
        while (*s == ' ')
            s++;
    }
    puts(s);
}

int main(void)
{
    wrap("short words are no problem at all", 10);
    wrap("an incomprehensible example", 10);
    return 0;
}
