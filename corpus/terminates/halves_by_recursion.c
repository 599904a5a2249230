// The loop ends because of what a recursion returns: less than it was given.
extern int __VERIFIER_nondet_int(void);

static int half(int n)
{
    if (n < 2)
        return 0;
    return 1 + half(n - 2);
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    while (n > 0)
        n = half(n);
    return 0;
}
