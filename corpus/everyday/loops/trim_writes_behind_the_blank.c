// Endless for a text that ends in a blank: the terminator is written over the old terminator, not over the blank.
#include <ctype.h>
#include <stdio.h>
#include <string.h>

static void rtrim(char *s)
{
    size_t n = strlen(s);
    while (n > 0 && isspace((unsigned char)s[n - 1])) {
        s[n] = '\0';
        n = strlen(s);
    }
}

int main(void)
{
    char a[] = "no blanks";
    char b[] = "one blank ";
    rtrim(a);
    puts(a);
    rtrim(b);
    puts(b);
    return 0;
}
