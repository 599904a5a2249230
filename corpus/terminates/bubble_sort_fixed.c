/* Bubble sort on an array on the stack. */
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int a[20];
    int n = 20;
    for (int i = 0; i < n; i++)
        a[i] = __VERIFIER_nondet_int();
    for (int pass = n - 1; pass > 0; pass--)
        for (int j = 0; j < pass; j++)
            if (a[j + 1] < a[j]) {
                int t = a[j];
                a[j] = a[j + 1];
                a[j + 1] = t;
            }
    return a[0];
}
