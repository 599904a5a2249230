extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int state = 0;
    for (;;) {
        switch (state) {
        case 0:
            state = __VERIFIER_nondet_int() ? 1 : 2;
            break;
        case 1:
            return 0;
        case 2:
            state = 3;
            break;
        default:
            state = 2;
        }
    }
}
