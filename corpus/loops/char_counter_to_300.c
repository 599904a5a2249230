/* A signed char counts to 300. */
#include <stdio.h>

int main(void)
{
    signed char c;
    int count = 0;
    for (c = 0; c < 300; c++) {
        count ^= c;
    }
    printf("%d\n", count);
    return 0;
}
