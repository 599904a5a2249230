/* Shifts by a number of bits from outside, at least one each time. */
extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
    unsigned x = __VERIFIER_nondet_uint();
    while (x) {
        unsigned by = __VERIFIER_nondet_uint() % 7 + 1;
        x >>= by;
    }
    return 0;
}
