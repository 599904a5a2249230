// Endless if a root with children is already the largest, since it neither leaves nor goes down.
extern int __VERIFIER_nondet_int(void);

#define N 15

static void sift_down(int *a, int root, int n)
{
    while (2 * root + 1 < n) {
        int child = 2 * root + 1;
        if (child + 1 < n && a[child + 1] > a[child])
            child++;
        if (a[child] > a[root]) {
            int t = a[child];
            a[child] = a[root];
            a[root] = t;
            root = child;
        }
    }
}

int main(void)
{
    int a[N];
    for (int i = 0; i < N; i++)
        a[i] = __VERIFIER_nondet_int();
    for (int i = N / 2 - 1; i >= 0; i--)
        sift_down(a, i, N);
    return 0;
}
