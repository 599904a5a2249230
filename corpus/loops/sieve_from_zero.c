/* Multiples of 0 are 0. */
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    static char composite[50];
    int n = 49;
    for (int i = 0; i * i <= n; i++)
        for (int j = i * i; j <= n; j += i)
            composite[j] = 1;
    return composite[4];
}
