/* The square of one is one. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    int most = __VERIFIER_nondet_int();
    while (x > 0 && x < most)
        x = x * x;
    return 0;
}
