extern int __VERIFIER_nondet_int(void);
int main(void)
{
    unsigned turns = 0;
    while (__VERIFIER_nondet_int() != 5)
        turns++;
    return 0;
}
