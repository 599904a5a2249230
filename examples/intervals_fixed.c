/* Without the reset to 50, and with nothing beyond 100, every run comes to 100. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    while (x >= 1 && x < 100)
        x = x + 1;
    return 0;
}
