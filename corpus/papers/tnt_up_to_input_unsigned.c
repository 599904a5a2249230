/* TNT, Section 2: up to and including the largest number, unsigned.
   truth: c loops, wrap loops, unbounded terminates (open) */
extern unsigned __VERIFIER_nondet_uint(void);
static void body(void) { }

int main(void)
{
    unsigned i, n;
    n = __VERIFIER_nondet_uint();
    for (i = 0; i <= n; i++) body();
    return 0;
}
