/* Whichever way it goes, it always goes that way. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    int y = __VERIFIER_nondet_int();
    int step = __VERIFIER_nondet_int() ? 1 : -1;
    while (x < 100 && y < 100) {
        x = x + step;
        y = y - step;
    }
    return 0;
}
