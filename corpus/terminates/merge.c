/* Two sorted arrays become one. */
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int a[10], b[20], c[30];
    int i = 0, j = 0, k = 0;
    for (i = 0; i < 10; i++)
        a[i] = __VERIFIER_nondet_int();
    for (i = 0; i < 20; i++)
        b[i] = __VERIFIER_nondet_int();
    i = 0;
    while (i < 10 && j < 20) {
        if (a[i] <= b[j])
            c[k++] = a[i++];
        else
            c[k++] = b[j++];
    }
    while (i < 10)
        c[k++] = a[i++];
    while (j < 20)
        c[k++] = b[j++];
    return c[0];
}
