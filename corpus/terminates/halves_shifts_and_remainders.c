extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    while (x > 1)
        x >>= 1;
    unsigned u = __VERIFIER_nondet_uint();
    while (u > 4)
        u = u / 3 + 1;
    int y = __VERIFIER_nondet_int();
    while (y > 0)
        y = y - 1 - y % 2;
    return 0;
}
