/* A letter is not taken by %d and stays. */
#include <stdio.h>

int main(void)
{
    int n = 0;
    do {
        printf("a number from 1 to 10: ");
        if (scanf("%d", &n) != 1)
            printf("no number\n");
    } while (n < 1 || n > 10);
    return n;
}
