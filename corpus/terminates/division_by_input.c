extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int d = __VERIFIER_nondet_int();
    int q = 12 / d;
    while (d == 0)
        ;
    return q;
}
