// Ends: every call and every round of the loop has consumed at least one parenthesis.
#include <stdio.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static int group(const char **s)
{
    int best = 0;
    while (**s == '(') {
        (*s)++;
        int inner = group(s);
        if (inner < 0 || **s != ')')
            return -1;
        (*s)++;
        if (inner + 1 > best)
            best = inner + 1;
    }
    return best;
}

static int depth(const char *s)
{
    int d = group(&s);
    return *s ? -1 : d;
}

int main(void)
{
    char t[21];
    for (int i = 0; i < 20; i++)
        t[i] = __VERIFIER_nondet_uchar() & 1 ? '(' : ')';
    t[20] = '\0';
    printf("%d %d\n", depth(t), depth("(()(()))()"));
    return 0;
}
