/* (a, b) turns and grows, so what is added to q becomes very small again and again. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int q = __VERIFIER_nondet_int();
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    while (q > 0) {
        int before = a;
        q = q + a - 1;
        a = 3 * before - 4 * b;
        b = 4 * before + 3 * b;
    }
    return 0;
}
