/* An empty separator is found at once, and skipping it takes nothing. */
#include <stdio.h>
#include <string.h>

int main(void)
{
    char text[] = "a,b,c", sep[4];
    if (!fgets(sep, sizeof sep, stdin))
        return 1;
    sep[strcspn(sep, "\n")] = 0;
    char *at = text;
    int parts = 0;
    while ((at = strstr(at, sep)) != NULL) {
        at += strlen(sep);
        parts ^= 1;
    }
    return parts;
}
