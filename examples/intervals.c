/* Two resets: one keeps the loop going between 50 and 60, the other ends it at 100. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    while (x >= 1) {
        if (x == 60)
            x = 50;
        x = x + 1;
        if (x == 100)
            x = 0;
    }
    return 0;
}
