// Ends: the star's resume point only moves forward through the text, and between two resumes both cursors advance.
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

extern char __VERIFIER_nondet_char(void);

static bool glob(const char *pat, const char *txt)
{
    const char *star = NULL, *resume = NULL;
    while (*txt) {
        if (*pat == '*') {
            star = ++pat;
            resume = txt;
        } else if (*pat && (*pat == '?' || *pat == *txt)) {
            pat++;
            txt++;
        } else if (star) {
            pat = star;
            txt = ++resume;
        } else {
            return false;
        }
    }
    while (*pat == '*')
        pat++;
    return *pat == '\0';
}

int main(void)
{
    char p[10], t[20];
    for (int i = 0; i < 9; i++)
        p[i] = __VERIFIER_nondet_char();
    for (int i = 0; i < 19; i++)
        t[i] = __VERIFIER_nondet_char();
    p[9] = t[19] = '\0';
    printf("%d %d\n", glob(p, t), glob("a*b*c", "aaxbybzzc"));
    return 0;
}
