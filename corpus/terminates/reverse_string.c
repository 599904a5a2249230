/* Reverses a string in place. */
#include <stdio.h>
#include <string.h>
int main(void)
{
    char s[100];
    if (!fgets(s, sizeof s, stdin))
        return 0;
    int i = 0, j = (int)strlen(s) - 1;
    while (i < j) {
        char c = s[i];
        s[i++] = s[j];
        s[j--] = c;
    }
    puts(s);
    return 0;
}
