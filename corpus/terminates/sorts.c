#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

int main(void)
{
    int a[] = {5, 3, 8, 1, 9, 2};
    qsort(a, 6, sizeof a[0], ascending);
    int i = 0;
    while (a[i] != 9)
        i++;
    return i;
}
