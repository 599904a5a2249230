/* Starts beyond what it comes to again. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int first = __VERIFIER_nondet_int();
    int most = __VERIFIER_nondet_int();
    if (first < 0 || most < 0)
        return 0;
    int at = first + 1;
    while (at != first) {
        if (at <= most)
            at = at + 1;
        else
            at = 0;
    }
    return 0;
}
