/* T2, Section 4: the inner loop takes one turn more each time, so that no way around repeats.
   truth: c overflow, wrap terminates, unbounded loops */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int k = __VERIFIER_nondet_int(), j;
    while (k >= 0) {
        k = k + 1;
        j = k;
        while (j >= 1)
            j = j - 1;
    }
    return 0;
}
