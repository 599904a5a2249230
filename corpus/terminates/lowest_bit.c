/* Walks over the set bits from the lowest. */
extern unsigned __VERIFIER_nondet_uint(void);
extern void use(unsigned bit);
int main(void)
{
    unsigned m = __VERIFIER_nondet_uint();
    while (m) {
        unsigned bit = m & -m;
        use(bit);
        m ^= bit;
    }
    return 0;
}
