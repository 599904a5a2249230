/* The exponent is halved in each call. */
extern unsigned __VERIFIER_nondet_uint(void);
static unsigned power(unsigned b, unsigned e)
{
    if (e == 0)
        return 1;
    unsigned h = power(b, e / 2);
    return e % 2 ? h * h * b : h * h;
}
int main(void)
{
    return power(__VERIFIER_nondet_uint(), __VERIFIER_nondet_uint()) == 8;
}
