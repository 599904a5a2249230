/* No product leaves the range, and no sum does: these hold of all integers. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    int twice = 2 * x;
    while (twice / 2 != x)
        ;
    while (x + 1 <= x)
        ;
    while (x * x < 0)
        ;
    return 0;
}
