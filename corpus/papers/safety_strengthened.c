/* T2, Section 3: every number of turns is a counterexample until k is asked to be negative. The figure itself is
   not legible in our copy; this is what its counterexamples and conditions say.
   truth: c loops, wrap loops, unbounded loops */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int i = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int();
    while (i >= 0) {
        if (k >= 0)
            i = i - 1;
    }
    return 0;
}
