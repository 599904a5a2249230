/* What a negative number is as a natural number, nobody can say. In C it is a large one. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    unsigned u = n;
    while (n < 0 && u > 10)
        ;
    return 0;
}
