/* Two functions that call each other, and a loop that calls them. */
extern int __VERIFIER_nondet_int(void);

static int odd(int n);

static int even(int n)
{
    return n <= 0 ? 1 : odd(n - 1);
}

static int odd(int n)
{
    return n <= 0 ? 0 : even(n - 1);
}

int main(void)
{
    int count = 0;
    for (int i = __VERIFIER_nondet_int(); i > 0; i--)
        if (even(__VERIFIER_nondet_int()))
            count = 1;
    return count;
}
