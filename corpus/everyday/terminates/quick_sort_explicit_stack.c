// Ends: every range taken from the stack is replaced by disjoint smaller ones without the pivot.
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

#define N 40

struct range {
    int lo, hi;
};

static int split(int *a, int lo, int hi)
{
    int pivot = a[lo];
    int last = lo;
    for (int i = lo + 1; i <= hi; i++) {
        if (a[i] < pivot) {
            last++;
            int t = a[i];
            a[i] = a[last];
            a[last] = t;
        }
    }
    a[lo] = a[last];
    a[last] = pivot;
    return last;
}

static void sort(int *a, int n)
{
    struct range stack[N + 1];
    int top = 0;
    stack[top++] = (struct range){0, n - 1};
    while (top > 0) {
        struct range r = stack[--top];
        if (r.lo >= r.hi)
            continue;
        int m = split(a, r.lo, r.hi);
        if (r.lo < m - 1)
            stack[top++] = (struct range){r.lo, m - 1};
        if (m + 1 < r.hi)
            stack[top++] = (struct range){m + 1, r.hi};
    }
}

int main(void)
{
    int a[N];
    for (int i = 0; i < N; i++)
        a[i] = __VERIFIER_nondet_int();
    sort(a, N);
    printf("%d..%d\n", a[0], a[N - 1]);
    return 0;
}
