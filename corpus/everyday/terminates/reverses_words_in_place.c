// Ends: the two ends of every reversal approach each other, and each word begins after the one before.
#include <stdio.h>
#include <string.h>

static void flip(char *a, char *b)
{
    while (a < b) {
        char t = *a;
        *a++ = *b;
        *b-- = t;
    }
}

static void reverse_words(char *s)
{
    size_t n = strlen(s);
    if (n == 0)
        return;
    flip(s, s + n - 1);
    char *p = s;
    while (*p) {
        char *q = p;
        while (*q && *q != ' ')
            q++;
        if (q > p)
            flip(p, q - 1);
        p = *q ? q + 1 : q;
    }
}

int main(int argc, char **argv)
{
    char buf[128] = "the quick brown fox";
    if (argc > 1 && strlen(argv[1]) < sizeof buf)
        strcpy(buf, argv[1]);
    reverse_words(buf);
    puts(buf);
    return 0;
}
