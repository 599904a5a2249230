/* Input without an end: only the counter could end it, and that wraps around. */
#include <stdio.h>

int main(void)
{
    int c, lines = 0;
    while ((c = getchar()) != EOF)
        lines++;
    return lines > 0;
}
