/* Zeros at the end are shifted away. */
extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
    unsigned x = __VERIFIER_nondet_uint();
    int n = 0;
    if (x == 0)
        return -1;
    while ((x & 1) == 0) {
        x >>= 1;
        n++;
    }
    return n;
}
