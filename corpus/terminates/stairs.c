/* In how many ways n stairs can be climbed. */
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    unsigned ways[64];
    int n = __VERIFIER_nondet_int();
    if (n < 2 || n >= 64)
        return 1;
    ways[0] = ways[1] = 1;
    for (int i = 2; i <= n; i++)
        ways[i] = ways[i - 1] + ways[i - 2];
    return ways[n] == 8;
}
