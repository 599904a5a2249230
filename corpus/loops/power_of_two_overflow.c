/* Doubled beyond the half of its type p becomes 0, and stays so. */
extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    unsigned p = 1;
    while (p < n)
        p *= 2;
    return p == 64;
}
