/* Each input is at least twice the one before: that goes on until twice it overflows. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    while (x > 1) {
        int before = x;
        x = __VERIFIER_nondet_int();
        if (x < 2 * before)
            break;
    }
    return 0;
}
