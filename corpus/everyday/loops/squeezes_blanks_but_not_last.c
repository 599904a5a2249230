// Endless for a text that ends in two blanks: the pair is found again and again but left as it is.
#include <stdio.h>
#include <string.h>

static void close_gap(char *p)
{
    if (p[2] == '\0')
        return;
    memmove(p, p + 1, strlen(p));
}

static void squeeze(char *s)
{
    char *p = strstr(s, "  ");
    while (p) {
        close_gap(p);
        p = strstr(s, "  ");
    }
}

int main(int argc, char **argv)
{
    char buf[80] = "a   b c";
    if (argc > 1 && strlen(argv[1]) < sizeof buf)
        strcpy(buf, argv[1]);
    squeeze(buf);
    puts(buf);
    return 0;
}
