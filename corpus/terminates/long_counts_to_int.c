extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    long sum = 0;
    for (long i = 0; i < n; i++)
        sum = i;
    for (int i = 0; i < 100000L; i++)
        sum = i;
    return sum > 7;
}
