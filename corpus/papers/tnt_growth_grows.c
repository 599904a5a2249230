/* TNT, Section 5.1: x grows by a y that grows.
   truth: c overflow, wrap terminates, unbounded loops */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    while (x >= 0) {
        x = x + y;
        y = y + 1;
    }
    return 0;
}
