/* It always goes the same way, which may be nowhere. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    int y = __VERIFIER_nondet_int();
    int step = __VERIFIER_nondet_int();
    if (step < -1 || step > 1)
        return 0;
    while (x < 100 && y < 100) {
        x = x + step;
        y = y - step;
    }
    return 0;
}
