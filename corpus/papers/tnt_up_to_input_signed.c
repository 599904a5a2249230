/* TNT, Section 2: up to and including the largest number, signed. By C's rules the run that would go on has overflowed.
   truth: c terminates, wrap loops, unbounded terminates */
extern int __VERIFIER_nondet_int(void);
static void body(void) { }

int main(void)
{
    int i, n;
    n = __VERIFIER_nondet_int();
    for (i = 0; i <= n; i++) body();
    return 0;
}
