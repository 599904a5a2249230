// Ends: next_token always consumes at least one character unless it reports the end.
#include <ctype.h>
#include <stdio.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

enum kind { T_END, T_NUM, T_NAME, T_OP };

struct token {
    enum kind kind;
    int start, len;
};

static struct token next_token(const char *s, int *pos)
{
    struct token t;
    while (s[*pos] == ' ' || s[*pos] == '\t')
        (*pos)++;
    t.start = *pos;
    if (s[*pos] == '\0') {
        t.kind = T_END;
    } else if (isdigit((unsigned char)s[*pos])) {
        t.kind = T_NUM;
        while (isdigit((unsigned char)s[*pos]))
            (*pos)++;
    } else if (isalpha((unsigned char)s[*pos]) || s[*pos] == '_') {
        t.kind = T_NAME;
        do
            (*pos)++;
        while (isalnum((unsigned char)s[*pos]) || s[*pos] == '_');
    } else {
        t.kind = T_OP;
        (*pos)++;
    }
    t.len = *pos - t.start;
    return t;
}

int main(void)
{
    char src[33];
    int pos = 0, counts[4] = {0};
    for (int i = 0; i < 32; i++)
        src[i] = (char)__VERIFIER_nondet_uchar();
    src[32] = '\0';
    struct token t;
    do {
        t = next_token(src, &pos);
        counts[t.kind]++;
    } while (t.kind != T_END);
    printf("%d numbers, %d names, %d operators\n", counts[T_NUM], counts[T_NAME], counts[T_OP]);
    return 0;
}
