// Ends: each call sorts two parts that leave out the pivot, so the width shrinks.
extern int __VERIFIER_nondet_int(void);

#define SIZE 100

static int table[SIZE];

static void exchange(int i, int j)
{
    int t = table[i];
    table[i] = table[j];
    table[j] = t;
}

static int partition(int lo, int hi)
{
    int pivot = table[hi];
    int store = lo;
    for (int k = lo; k < hi; k++) {
        if (table[k] < pivot) {
            exchange(k, store);
            store++;
        }
    }
    exchange(store, hi);
    return store;
}

static void quick(int lo, int hi)
{
    if (lo < hi) {
        int p = partition(lo, hi);
        quick(lo, p - 1);
        quick(p + 1, hi);
    }
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n > SIZE)
        n = SIZE;
    for (int i = 0; i < n; i++)
        table[i] = __VERIFIER_nondet_int();
    quick(0, n < 0 ? -1 : n - 1);
    return 0;
}
