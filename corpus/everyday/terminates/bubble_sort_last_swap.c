// Ends: the new bound is the place of the last swap, which lies below the old bound.
extern int __VERIFIER_nondet_int(void);

static void bubble_sort(int *a, int n)
{
    int bound = n;
    while (bound > 1) {
        int last = 0;
        for (int i = 1; i < bound; i++) {
            if (a[i - 1] > a[i]) {
                int t = a[i - 1];
                a[i - 1] = a[i];
                a[i] = t;
                last = i;
            }
        }
        bound = last;
    }
}

int main(void)
{
    int a[48];
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n >= 48)
        n = 48;
    for (int i = 0; i < n; i++)
        a[i] = __VERIFIER_nondet_int();
    bubble_sort(a, n);
    return 0;
}
