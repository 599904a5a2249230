/* The index is not moved. */
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int a[5];
    for (int i = 0; i < 5; i++)
        a[i] = __VERIFIER_nondet_int();
    for (int i = 1; i < 5; i++) {
        int key = a[i], j = i - 1;
        while (j >= 0 && a[j] > key)
            a[j + 1] = a[j];
        a[j + 1] = key;
    }
    return 0;
}
