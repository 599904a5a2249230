/* 0 - 1 is no natural number. In C it wraps. */
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    unsigned before = n - 1;
    while (before > n)
        ;
    return 0;
}
