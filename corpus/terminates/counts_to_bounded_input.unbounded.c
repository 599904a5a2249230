extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n > 10)
        return 0;
    for (int i = 0; i < n; i++)
        ;
    return 0;
}
