// Ends: both are made odd, then their difference is even and is halved at least once.
extern unsigned long __VERIFIER_nondet_ulong(void);

static unsigned long strip_twos(unsigned long x)
{
    while ((x & 1) == 0)
        x >>= 1;
    return x;
}

static unsigned long binary_gcd(unsigned long u, unsigned long v)
{
    int shift = 0;
    if (u == 0)
        return v;
    if (v == 0)
        return u;
    while (((u | v) & 1) == 0) {
        u >>= 1;
        v >>= 1;
        shift++;
    }
    u = strip_twos(u);
    do {
        v = strip_twos(v);
        if (u > v) {
            unsigned long t = u;
            u = v;
            v = t;
        }
        v -= u;
    } while (v != 0);
    return u << shift;
}

int main(void)
{
    return binary_gcd(__VERIFIER_nondet_ulong(), __VERIFIER_nondet_ulong()) == 1;
}
