/* Pays out an amount with the largest coins first. */
#include <stdio.h>

int main(void)
{
    static const int coins[] = {200, 100, 50, 20, 10, 5, 2, 1};
    int amount, n = 0;
    if (scanf("%d", &amount) != 1 || amount < 0)
        return 1;
    for (unsigned i = 0; i < sizeof coins / sizeof coins[0]; i++) {
        while (amount >= coins[i]) {
            amount -= coins[i];
            n++;
        }
    }
    printf("%d\n", n);
    return 0;
}
