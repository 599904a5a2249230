// Ends: the failure table always gives a smaller length, so falling back cannot go on for ever.
#include <stdio.h>
#include <string.h>

#define MAXP 32

extern char __VERIFIER_nondet_char(void);

static void prefix_table(const char *p, int m, int *fail)
{
    int k = 0;
    fail[0] = 0;
    for (int i = 1; i < m; i++) {
        while (k > 0 && p[i] != p[k])
            k = fail[k - 1];
        if (p[i] == p[k])
            k++;
        fail[i] = k;
    }
}

static int kmp(const char *t, int n, const char *p, int m)
{
    int fail[MAXP];
    int k = 0;
    if (m <= 0 || m > MAXP)
        return -1;
    prefix_table(p, m, fail);
    for (int i = 0; i < n; i++) {
        while (k > 0 && t[i] != p[k])
            k = fail[k - 1];
        if (t[i] == p[k])
            k++;
        if (k == m)
            return i - m + 1;
    }
    return -1;
}

int main(void)
{
    char text[64], pat[8];
    for (int i = 0; i < 64; i++)
        text[i] = __VERIFIER_nondet_char();
    for (int i = 0; i < 8; i++)
        pat[i] = __VERIFIER_nondet_char();
    printf("%d %d\n", kmp(text, 64, pat, 8), kmp("abababac", 8, "abac", (int)strlen("abac")));
    return 0;
}
