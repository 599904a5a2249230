// Endless for an ascending array: the pivot stays at the end, and the same range is pushed again.
extern int __VERIFIER_nondet_int(void);

#define N 10

static int a[N];

static int split(int lo, int hi)
{
    int pivot = a[hi], store = lo;
    for (int i = lo; i < hi; i++)
        if (a[i] <= pivot) {
            int t = a[i];
            a[i] = a[store];
            a[store++] = t;
        }
    a[hi] = a[store];
    a[store] = pivot;
    return store;
}

int main(void)
{
    int low[2 * N], high[2 * N], top = 0;
    for (int i = 0; i < N; i++)
        a[i] = __VERIFIER_nondet_int();
    low[0] = 0;
    high[0] = N - 1;
    top = 1;
    while (top > 0) {
        top--;
        int lo = low[top], hi = high[top];
        int m = split(lo, hi);
        if (m + 1 < hi && top < 2 * N) {
            low[top] = m + 1;
            high[top++] = hi;
        }
        if (lo < m && top < 2 * N) {
            low[top] = lo;
            high[top++] = m;
        }
    }
    return 0;
}
