extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int s = __VERIFIER_nondet_int();
    unsigned x = 1u << s;
    while (s >= 32)
        ;
    return x == 0;
}
