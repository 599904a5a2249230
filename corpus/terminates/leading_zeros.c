/* Until the highest bit is set. */
extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
    unsigned x = __VERIFIER_nondet_uint();
    int n = 0;
    if (x == 0)
        return 32;
    while (!(x & 0x80000000u) && n < 32) {
        x <<= 1;
        n++;
    }
    return n;
}
