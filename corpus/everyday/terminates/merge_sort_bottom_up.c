// Ends: the run width doubles from one until it reaches the length.
#include <string.h>

extern int __VERIFIER_nondet_int(void);

#define MAX 128

static int min(int a, int b)
{
    return a < b ? a : b;
}

static void merge_runs(const int *src, int *dst, int left, int mid, int right)
{
    int i = left, j = mid;
    for (int k = left; k < right; k++) {
        if (i < mid && (j >= right || src[i] <= src[j]))
            dst[k] = src[i++];
        else
            dst[k] = src[j++];
    }
}

static void sort(int *a, int *work, int n)
{
    for (int width = 1; width < n; width *= 2) {
        for (int i = 0; i < n; i += 2 * width)
            merge_runs(a, work, i, min(i + width, n), min(i + 2 * width, n));
        memcpy(a, work, (size_t)n * sizeof *a);
    }
}

int main(void)
{
    int a[MAX], work[MAX];
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > MAX)
        n = MAX;
    for (int i = 0; i < n; i++)
        a[i] = __VERIFIER_nondet_int();
    sort(a, work, n);
    return 0;
}
