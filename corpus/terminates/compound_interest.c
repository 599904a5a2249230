/* Years until the balance has doubled, given a rate of at least one per cent. */
#include <stdio.h>

int main(void)
{
    double balance = 1000.0, rate;
    int years = 0;
    if (scanf("%lf", &rate) != 1 || !(rate >= 0.01 && rate <= 1.0))
        return 1;
    while (balance < 2000.0 && years < 100) {
        balance += balance * rate;
        years++;
        printf("%d %.2f\n", years, balance);
    }
    return 0;
}
