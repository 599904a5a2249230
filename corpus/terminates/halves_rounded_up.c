/* y settles at 1, which is enough for x to get smaller. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    int y = 2;
    while (x >= 0) {
        x = x - y;
        y = (y + 1) / 2;
    }
    return 0;
}
