/* All subsets of a mask, from the mask down to the empty one. */
extern unsigned __VERIFIER_nondet_uint(void);
extern void use(unsigned set);
int main(void)
{
    unsigned mask = __VERIFIER_nondet_uint();
    for (unsigned s = mask; s != 0; s = (s - 1) & mask)
        use(s);
    return 0;
}
