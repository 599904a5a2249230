// Ends: the outer pointer walks the haystack once, the inner index at most the needle.
#include <stdio.h>

extern char __VERIFIER_nondet_char(void);

static const char *find(const char *hay, const char *needle)
{
    if (!*needle)
        return hay;
    for (; *hay; hay++) {
        int k = 0;
        while (needle[k] && hay[k] == needle[k])
            k++;
        if (!needle[k])
            return hay;
    }
    return 0;
}

static int count(const char *hay, const char *needle)
{
    int n = 0;
    if (!*needle)
        return 0;
    while ((hay = find(hay, needle)) != 0) {
        n++;
        hay++;
    }
    return n;
}

int main(void)
{
    char h[30], n[4];
    for (int i = 0; i < 29; i++)
        h[i] = __VERIFIER_nondet_char();
    for (int i = 0; i < 3; i++)
        n[i] = __VERIFIER_nondet_char();
    h[29] = n[3] = 0;
    printf("%d %d\n", count(h, n), count("banana", "ana"));
    return 0;
}
