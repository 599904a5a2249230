/* Up to the end, from the beginning again, and then up to where it came from. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int first = __VERIFIER_nondet_int();
    int most = __VERIFIER_nondet_int();
    if (first < 0 || first >= most)
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
