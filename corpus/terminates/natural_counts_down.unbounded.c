/* An unsigned number is a natural number: it ends at zero, and never has to wrap on the way. */
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 5)
        return 0;
    while (n > 0)
        n--;
    return 0;
}
