/* Each number from outside has to be smaller than the one before. */
extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
    unsigned b = __VERIFIER_nondet_uint();
    while (b) {
        unsigned t = __VERIFIER_nondet_uint();
        if (t >= b)
            return 0;
        b = t;
    }
    return 1;
}
