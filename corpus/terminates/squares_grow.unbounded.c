/* A square is larger than its root, from two on. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    int most = __VERIFIER_nondet_int();
    while (x > 1 && x < most)
        x = x * x;
    return 0;
}
