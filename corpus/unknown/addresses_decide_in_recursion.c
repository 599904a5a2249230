// What a call does before it returns counts, also where a proof goes on as if it had returned.
extern int __VERIFIER_nondet_int(void);

static char a, b;

static void f(int n)
{
    if (n > 0)
        f(n - 1);
    if ((unsigned long)&a > (unsigned long)&b)
        for (;;)
            ;
}

int main(void)
{
    f(__VERIFIER_nondet_int());
    return 0;
}
