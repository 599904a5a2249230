// Two functions that call each other return 0 or 1: the loop takes at least one step down each time.
extern int __VERIFIER_nondet_int(void);

static int odd(unsigned n);

static int even(unsigned n)
{
    return n == 0 ? 1 : odd(n - 1);
}

static int odd(unsigned n)
{
    return n == 0 ? 0 : even(n - 1);
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    while (n > 0)
        n -= 1 + even((unsigned)n);
    return 0;
}
