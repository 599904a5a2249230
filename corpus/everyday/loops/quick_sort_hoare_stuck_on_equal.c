// Endless for equal keys at both ends: neither scan moves past a key equal to the pivot, and the swap changes nothing.
extern int __VERIFIER_nondet_int(void);

#define N 12

static int partition(int *a, int lo, int hi)
{
    int pivot = a[(lo + hi) / 2];
    int i = lo, j = hi;
    while (i < j) {
        while (a[i] < pivot)
            i++;
        while (a[j] > pivot)
            j--;
        if (i < j) {
            int t = a[i];
            a[i] = a[j];
            a[j] = t;
        }
    }
    return j;
}

int main(void)
{
    int a[N];
    for (int i = 0; i < N; i++)
        a[i] = __VERIFIER_nondet_int();
    return partition(a, 0, N - 1);
}
