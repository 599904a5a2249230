/* Letters are moved by three. */
#include <stdio.h>
int main(void)
{
    char text[64];
    if (!fgets(text, sizeof text, stdin))
        return 1;
    for (char *p = text; *p != '\0'; ++p)
        if (*p >= 'a' && *p <= 'z')
            *p = 'a' + (*p - 'a' + 3) % 26;
    fputs(text, stdout);
    return 0;
}
