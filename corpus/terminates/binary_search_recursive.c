/* Binary search that calls itself. */
#include <stdio.h>

static int search(const int *a, int lo, int hi, int key)
{
    if (lo > hi)
        return -1;
    int mid = (lo + hi) / 2;
    if (a[mid] == key)
        return mid;
    if (a[mid] < key)
        return search(a, mid + 1, hi, key);
    return search(a, lo, mid - 1, key);
}

int main(void)
{
    int a[10] = {1, 3, 4, 7, 9, 12, 15, 18, 21, 40};
    int key;
    if (scanf("%d", &key) != 1)
        return 1;
    printf("%d\n", search(a, 0, 9, key));
    return 0;
}
