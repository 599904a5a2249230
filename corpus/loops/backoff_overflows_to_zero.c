/* The delay is doubled and wraps to zero, so that the sum stays. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    unsigned char delay = 1;
    unsigned waited = 0;
    while (waited < 1000) {
        if (__VERIFIER_nondet_int() == 0)
            return 0;
        waited += delay;
        delay *= 2;
    }
    return 1;
}
