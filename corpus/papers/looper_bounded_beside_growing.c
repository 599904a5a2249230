/* LOOPER, Figure 1: x is 6 and 8 in turn while y grows.
   truth: c overflow, wrap terminates (open), unbounded loops */
extern int __VERIFIER_nondet_int(void);
#define foo() __VERIFIER_nondet_int()
#define bar() __VERIFIER_nondet_int()

int main(void)
{
    int x, y;
    x = foo();
    y = bar();
    while (x != 3 && y > 0) {
        x = (x * x + 2) % 10;
        y++;
    }
    return 0;
}
