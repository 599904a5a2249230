extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int x = __VERIFIER_nondet_int();
    if (x > 3 && x < 3)
        for (;;)
            ;
    return 0;
}
