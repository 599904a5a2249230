/* T2, Section 4: the inner loop is endless once the outer one has come to zero.
   truth: c loops, wrap loops, unbounded loops */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int i = __VERIFIER_nondet_int();
    if (i == 10) {
        while (i > 0) {
            i = i - 1;
            while (i == 0)
                ;
        }
    }
    return 0;
}
