/* TNT, Section 5.3: x grows in every second turn.
   truth: c overflow, wrap terminates, unbounded loops */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int(), y = 0;
    while (x >= 0) {
        x = x + y;
        y = 1 - y;
    }
    return 0;
}
