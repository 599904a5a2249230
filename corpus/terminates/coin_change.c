/* Coins, greedily. */
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    static const int coins[] = { 200, 100, 50, 20, 10, 5, 2, 1 };
    int amount = __VERIFIER_nondet_int(), count = 0;
    int i = 0;
    while (amount > 0 && i < 8) {
        if (amount >= coins[i]) {
            amount -= coins[i];
            count++;
        } else {
            i++;
        }
    }
    return count;
}
