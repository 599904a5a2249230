/* The knapsack table, filled from the top down. */
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int best[101] = { 0 };
    for (int item = 0; item < 8; item++) {
        int weight = __VERIFIER_nondet_int(), value = __VERIFIER_nondet_int();
        if (weight < 1 || weight > 100 || value < 0 || value > 1000)
            return 1;
        for (int w = 100; w >= weight; w--)
            if (best[w - weight] + value > best[w])
                best[w] = best[w - weight] + value;
    }
    return best[100];
}
