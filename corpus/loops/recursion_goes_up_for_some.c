/* For 7 it comes back to 7. */
extern int __VERIFIER_nondet_int(void);

static int down(int n)
{
    if (n <= 0)
        return 0;
    if (n == 7)
        return down(n) + 1;
    return down(n - 1);
}

int main(void)
{
    return down(__VERIFIER_nondet_int()) > 0;
}
