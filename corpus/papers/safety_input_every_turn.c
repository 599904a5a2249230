/* T2 (nontermination via safety), Section 1: each input may be such that the loop goes on.
   truth: c loops, wrap loops, unbounded loops */
extern int __VERIFIER_nondet_int(void);
#define nondet() __VERIFIER_nondet_int()

int main(void)
{
    int i = nondet(), k = nondet();
    if (k >= 0)
        ;
    else
        i = -1;
    while (i >= 0) {
        i = nondet();
    }
    i = 2;
    return 0;
}
