// Endless for 10: with lo == 3 and hi == 4 the middle is lo again.
#include <stdio.h>

static int root(int n)
{
    int lo = 0, hi = n < 46340 ? n : 46340;
    while (lo < hi) {
        int mid = lo + (hi - lo) / 2;
        if (mid * mid <= n)
            lo = mid;
        else
            hi = mid - 1;
    }
    return lo;
}

int main(void)
{
    int n;
    if (scanf("%d", &n) != 1 || n < 0)
        return 1;
    printf("%d\n", root(n));
    return 0;
}
