/* EOF does not fit an unsigned char. */
#include <stdio.h>

int main(void)
{
    unsigned char c;
    unsigned long n = 0;
    while ((c = getchar()) != EOF) {
        if (c == '\n')
            n++;
    }
    printf("%lu\n", n);
    return 0;
}
