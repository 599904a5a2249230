/* The digital root. */
extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
    unsigned n = __VERIFIER_nondet_uint(), sum = 0;
    while (n > 0) {
        sum += n % 10;
        n /= 10;
    }
    return sum == 9;
}
