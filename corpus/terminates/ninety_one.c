// McCarthy's function: the outer call is nearer to its end because of what the inner one returns.
extern int __VERIFIER_nondet_int(void);

static int ninety_one(int n)
{
    if (n > 100)
        return n - 10;
    return ninety_one(ninety_one(n + 11));
}

int main(void)
{
    return ninety_one(__VERIFIER_nondet_int());
}
