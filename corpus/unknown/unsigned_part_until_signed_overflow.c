/* y comes to 0 by chance or never; what is sure to end the loop is that x leaves its type. */
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    unsigned y = __VERIFIER_nondet_uint();
    while (y != 0) {
        y -= (unsigned)x;
        x -= 2;
    }
    return 0;
}
