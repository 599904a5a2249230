// Ends: each loop walks one terminated buffer towards its '\0', which the destination does not overlap.
#include <stdio.h>

extern char __VERIFIER_nondet_char(void);

static unsigned long my_strlen(const char *s)
{
    const char *p = s;
    while (*p)
        ++p;
    return (unsigned long)(p - s);
}

static char *my_strcpy(char *dst, const char *src)
{
    char *r = dst;
    while ((*dst++ = *src++) != '\0')
        ;
    return r;
}

static char *my_strcat(char *dst, const char *src)
{
    my_strcpy(dst + my_strlen(dst), src);
    return dst;
}

int main(void)
{
    char first[12], both[32];
    for (int i = 0; i < 11; ++i)
        first[i] = __VERIFIER_nondet_char();
    first[11] = 0;
    my_strcpy(both, first);
    my_strcat(both, ", friend");
    printf("%lu\n", my_strlen(both));
    return 0;
}
