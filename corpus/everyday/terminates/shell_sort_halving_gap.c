// Ends: the gap is halved until it is zero, and inside it is positive.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static void gapped_pass(int *a, size_t n, size_t gap)
{
    for (size_t i = gap; i < n; i++) {
        int x = a[i];
        size_t j = i;
        while (j >= gap && a[j - gap] > x) {
            a[j] = a[j - gap];
            j -= gap;
        }
        a[j] = x;
    }
}

static void shell_sort(int *a, size_t n)
{
    size_t gap = n / 2;
    while (gap > 0) {
        gapped_pass(a, n, gap);
        gap /= 2;
    }
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n <= 0)
        return 0;
    n %= 500;
    int *a = calloc((size_t)n + 1, sizeof(int));
    if (a == NULL)
        return 1;
    for (int i = 0; i < n; i++)
        a[i] = __VERIFIER_nondet_int();
    shell_sort(a, (size_t)n);
    free(a);
    return 0;
}
