// Endless for the fixed text "xaba" and pattern "aa": the failure table is read one place too far, so k stays 1.
#include <stdio.h>
#include <string.h>

static void build(const char *p, int m, int *fail)
{
    int k = 0;
    fail[0] = 0;
    for (int i = 1; i < m; i++) {
        while (k > 0 && p[k] != p[i])
            k = fail[k - 1];
        if (p[k] == p[i])
            k++;
        fail[i] = k;
    }
}

static int search(const char *t, const char *p)
{
    int fail[16], k = 0;
    int n = (int)strlen(t), m = (int)strlen(p);
    build(p, m, fail);
    for (int i = 0; i < n; i++) {
        while (k > 0 && p[k] != t[i])
            k = fail[k];
        if (p[k] == t[i])
            k++;
        if (k == m)
            return i - m + 1;
    }
    return -1;
}

int main(void)
{
    printf("%d\n", search("xaab", "aa"));
    printf("%d\n", search("xaba", "aa"));
    return 0;
}
