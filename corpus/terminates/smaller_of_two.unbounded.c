/* The smaller of two gets smaller, and the other can become anything. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int p = __VERIFIER_nondet_int();
    int q = __VERIFIER_nondet_int();
    while (p > 0 && q > 0 && p != q) {
        if (q < p) {
            q = q - 1;
            p = __VERIFIER_nondet_int();
        } else {
            p = p - 1;
            q = __VERIFIER_nondet_int();
        }
    }
    return 0;
}
