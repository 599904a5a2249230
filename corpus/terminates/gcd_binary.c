/* Stein's algorithm: the larger one loses a bit at least. */
extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
    unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
    if (a == 0 || b == 0)
        return 0;
    while (a != b) {
        if (a > b)
            a = (a - b) / 2 + (a - b) % 2;
        else
            b = (b - a) / 2 + (b - a) % 2;
        if (a == 0 || b == 0)
            break;
    }
    return a == 1;
}
