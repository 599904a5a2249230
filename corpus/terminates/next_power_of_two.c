/* Doubles a number up to a limit that is below the half of its type. */
extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    unsigned p = 1;
    if (n > 0x80000000u)
        return 1;
    while (p < n)
        p *= 2;
    return p == 64;
}
