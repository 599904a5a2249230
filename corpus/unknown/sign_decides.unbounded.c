/* The bits of 4000000000u are also those of a negative int, and LLVM does not say which of them is
 * compared with. The natural number 4000000000 makes it loop. */
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    while (n == 4000000000u)
        ;
    return 0;
}
