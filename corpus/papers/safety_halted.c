/* T2, Figure 4: each choice leads out of the loop.
   truth: c terminates, wrap terminates, unbounded terminates */
extern int __VERIFIER_nondet_int(void);
#define nondet() __VERIFIER_nondet_int()

int main(void)
{
    int i = nondet(), j;
    while (i == 10) {
        j = nondet();
        if (j > 3)
            i = i + 1;
        else
            i = i - 1;
    }
    return 0;
}
