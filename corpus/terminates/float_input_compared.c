extern double __VERIFIER_nondet_double(void);

int main(void)
{
    double x = __VERIFIER_nondet_double();
    if (x < 1.0 && x > 2.0)
        for (;;)
            ;
    return 0;
}
