/* A short counts to a bound that no short reaches. */
#include <stdio.h>

int main(void)
{
    unsigned short i;
    int n;
    long sum = 0;
    if (scanf("%d", &n) != 1)
        return 1;
    for (i = 0; i < n; i++)
        sum ^= i;
    printf("%ld\n", sum);
    return 0;
}
