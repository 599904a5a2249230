// Ends: coins handed back are positive and never exceed what is still owed.
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

static const int coins[] = { 200, 100, 50, 20, 10, 5 };
#define NCOINS ((int)(sizeof coins / sizeof coins[0]))

static int pay_in(int price)
{
    int paid = 0, inserted = 0;
    while (paid < price && inserted < 50) {
        int pick = __VERIFIER_nondet_int();
        if (pick >= 0 && pick < NCOINS)
            paid += coins[pick];
        inserted++;
    }
    return paid;
}

static int give_change(int owed)
{
    int i = 0;
    while (owed >= 5) {
        while (owed < coins[i])
            i++;
        owed -= coins[i];
        printf("%d ", coins[i]);
    }
    return owed;
}

int main(void)
{
    int price = 135;
    int paid = pay_in(price);
    if (paid < price)
        printf("refund: ");
    return give_change(paid < price ? paid : paid - price);
}
