/* Lines, words and characters of the input, at most a million. */
#include <stdio.h>
#include <ctype.h>

int main(void)
{
    long lines = 0, words = 0, chars = 0;
    int c, inside = 0;
    while (chars < 1000000 && (c = getchar()) != EOF) {
        chars++;
        if (c == '\n')
            lines++;
        if (isspace(c))
            inside = 0;
        else if (!inside) {
            inside = 1;
            words++;
        }
    }
    printf("%ld %ld %ld\n", lines, words, chars);
    return 0;
}
