/* x - 2 does not wrap, because x is positive. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    while (x > 0) {
        if (__VERIFIER_nondet_int())
            x -= 2;
        else
            x--;
    }
    return 0;
}
