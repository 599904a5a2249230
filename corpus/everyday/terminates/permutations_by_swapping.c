// Ends: the fixed prefix grows by one with every call.
#include <stdio.h>
#include <string.h>

static void swap(char *a, char *b)
{
    char t = *a;
    *a = *b;
    *b = t;
}

static void permute(char *s, int k, int n)
{
    if (k == n) {
        puts(s);
        return;
    }
    for (int i = k; i < n; i++) {
        swap(&s[k], &s[i]);
        permute(s, k + 1, n);
        swap(&s[k], &s[i]);
    }
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 1;
    size_t n = strlen(argv[1]);
    if (n > 8)
        return 1;
    permute(argv[1], 0, (int)n);
    return 0;
}
