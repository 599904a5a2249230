/* Newton's method for the integer square root: x gets smaller until it stays. */
extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    unsigned x = n, y;
    if (n < 2)
        return 0;
    y = x / 2;
    while (y < x) {
        x = y;
        y = (x + n / x) / 2;
    }
    return x == 3;
}
