/* Multiplication by doubling and halving. */
extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
    unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint(), product = 0;
    while (b > 0) {
        if (b % 2 == 1)
            product += a;
        a *= 2;
        b /= 2;
    }
    return product == 12;
}
