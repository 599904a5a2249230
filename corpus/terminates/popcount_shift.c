/* A 64-bit number is shifted until nothing is left. */
extern unsigned long __VERIFIER_nondet_ulong(void);
int main(void)
{
    unsigned long x = __VERIFIER_nondet_ulong();
    int n = 0;
    while (x != 0) {
        n += x & 1;
        x >>= 1;
    }
    return n;
}
