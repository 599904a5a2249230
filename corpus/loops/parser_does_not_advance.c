/* An unknown character is reported and not passed. */
#include <ctype.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    const char *s;
    int value = 0;
    char text[16];
    if (!fgets(text, sizeof text, stdin))
        return 1;
    s = text;
    while (*s) {
        if (isdigit((unsigned char)*s)) {
            value = (value * 10 + (*s - '0')) % 1000;
            s++;
        } else if (isspace((unsigned char)*s)) {
            s++;
        } else {
            fprintf(stderr, "unexpected '%c'\n", *s);
        }
    }
    printf("%d\n", value);
    return 0;
}
