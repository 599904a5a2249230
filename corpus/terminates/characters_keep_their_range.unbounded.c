/* Types narrower than int keep their range: C computes in int. */
extern char __VERIFIER_nondet_char(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern _Bool __VERIFIER_nondet_bool(void);

int main(void)
{
    char c = __VERIFIER_nondet_char();
    unsigned short s = __VERIFIER_nondet_ushort();
    _Bool b = __VERIFIER_nondet_bool();
    while (c < -128 || c > 127)
        ;
    while (s > 65535)
        ;
    int chosen = b ? c : -1;
    while (b > 1 || (!b && chosen != -1) || (b && chosen != c))
        ;
    return 0;
}
