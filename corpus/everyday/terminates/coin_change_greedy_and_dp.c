// Ends: every coin taken lowers the rest, and the sums of the table rise to the amount.
#include <stdio.h>
#include <stdlib.h>

static const int coins[] = {200, 100, 50, 20, 10, 5, 2, 1};
enum { KINDS = sizeof coins / sizeof coins[0], MAX = 1000 };

static int greedy(int amount)
{
    int taken = 0;
    for (int k = 0; k < KINDS; k++)
        while (amount >= coins[k]) {
            amount -= coins[k];
            taken++;
        }
    return taken;
}

static long long ways(int amount)
{
    static long long table[MAX + 1];
    table[0] = 1;
    for (int k = 0; k < KINDS; k++)
        for (int s = coins[k]; s <= amount; s++)
            table[s] += table[s - coins[k]];
    return table[amount];
}

int main(int argc, char **argv)
{
    int amount = argc > 1 ? atoi(argv[1]) : 137;
    if (amount < 0 || amount > MAX)
        return 1;
    printf("%d coins, %lld ways\n", greedy(amount), ways(amount));
    return 0;
}
