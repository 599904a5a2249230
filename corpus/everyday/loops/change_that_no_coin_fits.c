// Endless if a sum that is no multiple of five is owed: three cents are left and no coin is small enough.
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

static int largest_coin(int owed)
{
    static const int coins[] = { 200, 100, 50, 20, 10, 5 };
    for (unsigned i = 0; i < sizeof coins / sizeof coins[0]; i++)
        if (coins[i] <= owed)
            return coins[i];
    return 0;
}

static void give_change(int owed)
{
    while (owed > 0) {
        int c = largest_coin(owed);
        if (c)
            printf("%d\n", c);
        owed -= c;
    }
}

int main(void)
{
    int price = __VERIFIER_nondet_int();
    if (price < 0 || price > 500)
        return 1;
    give_change(500 - price);
    return 0;
}
