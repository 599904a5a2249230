/* TNT, Section 5.2: two turns bring the state back.
   truth: c loops, wrap loops, unbounded loops */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    while (x == y) { x = !x; y = !y; }
    return 0;
}
