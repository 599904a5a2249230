#include <stdio.h>

#include "buffer.h"

/* A character that is no digit is never skipped. */
int main(void)
{
    int letter = getchar();
    int number = 0;
    while (letter != EOF) {
        if (letter >= '0' && letter <= '9') {
            number = (number * 10 + letter - '0') % 1000;
            letter = getchar();
        }
    }
    printf("%d\n", number);
    return 0;
}
