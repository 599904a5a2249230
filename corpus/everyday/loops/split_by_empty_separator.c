// Endless for an empty separator: it is found at once everywhere and has no length to step over.
#include <stdio.h>
#include <string.h>

static unsigned parts(const char *text, const char *sep)
{
    unsigned n = 1;
    const char *hit;
    while ((hit = strstr(text, sep)) != NULL) {
        n++;
        text = hit + strlen(sep);
    }
    return n;
}

int main(void)
{
    char sep[20];
    if (!fgets(sep, sizeof sep, stdin))
        return 1;
    sep[strcspn(sep, "\n")] = '\0';
    printf("%u parts\n", parts("one::two::three", sep));
    return 0;
}
