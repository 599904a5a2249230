// What the recursion returns is what it was given: the loop stays where it is.
extern int __VERIFIER_nondet_int(void);

static int same(int n)
{
    if (n < 1)
        return 0;
    return 1 + same(n - 1);
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    while (n > 0)
        n = same(n);
    return 0;
}
