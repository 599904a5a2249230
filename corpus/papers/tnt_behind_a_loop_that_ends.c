/* TNT, Figure 10: a loop that ends before one that does not.
   truth: c overflow, wrap terminates, unbounded loops */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x, y = __VERIFIER_nondet_int();
    for (x = 0; x < 100; x++) { }
    while (y > 0) {
        y++;
    }
    return 0;
}
