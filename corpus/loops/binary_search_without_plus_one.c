/* lo = mid never gets to the last of two. */
#include <stdio.h>

static int search(const int *a, int n, int key)
{
    int lo = 0, hi = n - 1;
    while (lo < hi) {
        int mid = lo + (hi - lo) / 2;
        if (a[mid] <= key)
            lo = mid;
        else hi = mid - 1;
    }
    return lo;
}

int main(void)
{
    int a[] = { 1, 3, 5, 7, 9, 11 }, key;
    if (scanf("%d", &key) != 1)
        return 1;
    printf("%d\n", search(a, 6, key));
    return 0;
}
