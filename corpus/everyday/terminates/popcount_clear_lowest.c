// Ends: each round clears one set bit.
extern unsigned long __VERIFIER_nondet_ulong(void);

static int popcount(unsigned long x)
{
    int n = 0;
    while (x) {
        x &= x - 1;
        n++;
    }
    return n;
}

static int hamming_distance(unsigned long a, unsigned long b)
{
    return popcount(a ^ b);
}

int main(void)
{
    unsigned long a = __VERIFIER_nondet_ulong();
    unsigned long b = __VERIFIER_nondet_ulong();
    return hamming_distance(a, b);
}
