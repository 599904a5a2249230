// Ends: leading zeros end at the terminator at the latest, then both strings are walked together.
#include <stdio.h>
#include <string.h>

static const char *skip_zeros(const char *s)
{
    while (*s == '0')
        s++;
    return s;
}

static int compare(const char *a, const char *b)
{
    a = skip_zeros(a);
    b = skip_zeros(b);
    size_t la = strlen(a), lb = strlen(b);
    if (la != lb)
        return la < lb ? -1 : 1;
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return (*a > *b) - (*a < *b);
}

int main(int argc, char **argv)
{
    const char *greatest = "0";
    for (int i = 1; i < argc; i++)
        if (compare(argv[i], greatest) > 0)
            greatest = argv[i];
    puts(greatest);
    return 0;
}
