// Ends: both halves are shorter than the whole whenever it has two elements or more.
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

static void merge(const int *l, size_t nl, const int *r, size_t nr, int *out)
{
    while (nl > 0 && nr > 0) {
        if (*r < *l) {
            *out++ = *r++;
            nr--;
        } else {
            *out++ = *l++;
            nl--;
        }
    }
    while (nl-- > 0)
        *out++ = *l++;
    while (nr-- > 0)
        *out++ = *r++;
}

static void merge_sort(int *a, size_t n, int *tmp)
{
    if (n < 2)
        return;
    size_t half = n / 2;
    merge_sort(a, half, tmp);
    merge_sort(a + half, n - half, tmp);
    merge(a, half, a + half, n - half, tmp);
    memcpy(a, tmp, n * sizeof *a);
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 4096)
        return 0;
    int *a = malloc((size_t)n * sizeof *a);
    int *tmp = malloc((size_t)n * sizeof *tmp);
    if (a && tmp) {
        for (int i = 0; i < n; i++)
            a[i] = __VERIFIER_nondet_int();
        merge_sort(a, (size_t)n, tmp);
    }
    free(a);
    free(tmp);
    return 0;
}
