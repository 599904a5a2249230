// Ends: sifting goes down to a child with a larger index, below a fixed bound.
extern int __VERIFIER_nondet_int(void);

#define N 50

static void sift_down(int a[], int root, int end)
{
    while (2 * root + 1 < end) {
        int child = 2 * root + 1;
        if (child + 1 < end && a[child] < a[child + 1])
            child++;
        if (a[root] >= a[child])
            return;
        int t = a[root];
        a[root] = a[child];
        a[child] = t;
        root = child;
    }
}

static void heap_sort(int a[], int n)
{
    for (int start = n / 2 - 1; start >= 0; start--)
        sift_down(a, start, n);
    for (int end = n - 1; end > 0; end--) {
        int t = a[0];
        a[0] = a[end];
        a[end] = t;
        sift_down(a, 0, end);
    }
}

int main(void)
{
    int a[N];
    for (int i = 0; i < N; i++)
        a[i] = __VERIFIER_nondet_int();
    heap_sort(a, N);
    return a[0] <= a[N - 1] ? 0 : 1;
}
