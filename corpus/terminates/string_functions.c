/* strlen, strcpy and strcmp as one writes them oneself. */
#include <stdio.h>

static size_t length(const char *s)
{
    const char *p = s;
    while (*p)
        p++;
    return p - s;
}

static void copy(char *to, const char *from)
{
    while ((*to++ = *from++))
        ;
}

static int compare(const char *a, const char *b)
{
    while (*a && *a == *b)
        a++, b++;
    return (unsigned char)*a - (unsigned char)*b;
}

int main(void)
{
    char line[80], other[80];
    if (!fgets(line, sizeof line, stdin))
        return 1;
    copy(other, line);
    printf("%zu %d\n", length(line), compare(line, other));
    return 0;
}
