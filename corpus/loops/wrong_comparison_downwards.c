/* The bound is compared the wrong way round. */
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint(), sum = 0;
    for (unsigned i = 10; i >= 0 && n < 100; i -= 2) {
        sum += i * n;
    }
    return sum;
}
