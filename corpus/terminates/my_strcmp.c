/* Two strings of limited length. */
extern char __VERIFIER_nondet_char(void);
int main(void)
{
    char a[12], b[12];
    for (int i = 0; i < 11; i++) {
        a[i] = __VERIFIER_nondet_char();
        b[i] = __VERIFIER_nondet_char();
    }
    a[11] = b[11] = 0;
    const char *p = a, *q = b;
    while (*p && *p == *q) {
        p++;
        q++;
    }
    return *p - *q;
}
