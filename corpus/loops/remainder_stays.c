/* A remainder by a larger number is the number. */
extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
    unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
    if (b == 0)
        return 1;
    while (a != 0)
        a = a % b;
    return 0;
}
