/* The number of decimal digits. */
extern unsigned long __VERIFIER_nondet_ulong(void);
int main(void)
{
    unsigned long number = __VERIFIER_nondet_ulong();
    int digits = 1;
    while (number >= 10) {
        number /= 10;
        digits++;
    }
    return digits;
}
