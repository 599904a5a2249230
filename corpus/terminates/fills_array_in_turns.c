extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a[4] = { 0 };
    int n = __VERIFIER_nondet_int();
    while (n > 0) {
        for (int i = 0; i < 4; i++)
            a[i] = i;
        n -= a[1];
    }
    return 0;
}
