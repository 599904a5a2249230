// Endless for a key above the last but one element: lo = mid makes no progress once hi == lo + 1.
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

static const int table[] = {1, 4, 9, 16, 25, 36, 49, 64};

static int search(const int *a, int n, int key)
{
    int lo = 0, hi = n - 1;
    while (lo < hi) {
        int mid = (lo + hi) / 2;
        if (a[mid] < key)
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}

int main(void)
{
    int key = __VERIFIER_nondet_int();
    printf("%d\n", search(table, 8, key));
    return 0;
}
