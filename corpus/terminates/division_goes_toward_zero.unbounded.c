/* C's quotient goes toward zero, and the remainder has the sign of the dividend. Shifts round down. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    while (x / 3 * 3 + x % 3 != x)
        ;
    while (x < 0 && x % 3 > 0)
        ;
    if (x > -8 && x < -6)
        while (x / 2 != -3 || x % 2 != -1 || x / -2 != 3 || x % -2 != -1 || x >> 1 != -4)
            ;
    while (2 * (x >> 1) + (x & 1) != x)
        ;
    return 0;
}
