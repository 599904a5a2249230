// Ends: each step moves the middle index up or the high one down.
extern int __VERIFIER_nondet_int(void);

static void swap(int *a, int i, int j)
{
    int t = a[i];
    a[i] = a[j];
    a[j] = t;
}

static void three_way(int *a, int n, int pivot)
{
    int lo = 0, mid = 0, hi = n - 1;
    while (mid <= hi) {
        if (a[mid] < pivot)
            swap(a, lo++, mid++);
        else if (a[mid] > pivot)
            swap(a, mid, hi--);
        else
            mid++;
    }
}

int main(void)
{
    int a[30];
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 30)
        return 0;
    for (int i = 0; i < n; i++)
        a[i] = __VERIFIER_nondet_int();
    three_way(a, n, n > 0 ? a[0] : 0);
    return 0;
}
