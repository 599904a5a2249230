/* Each iteration takes away the lowest bit. */
extern unsigned long __VERIFIER_nondet_ulong(void);
int main(void)
{
    unsigned long x = __VERIFIER_nondet_ulong();
    int n = 0;
    for (; x; x &= x - 1)
        n++;
    return n;
}
