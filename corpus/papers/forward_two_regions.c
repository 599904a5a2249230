/* A forward analysis for recurrent sets, Example 1: 1 to 60, and from 100 on.
   truth: c loops, wrap loops, unbounded loops */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    while (x >= 1) {
        if (x == 60) x = 50;
        x = x + 1;
        if (x == 100) x = 0;
    }
    return 0;
}
