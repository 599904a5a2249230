// Ends: the left index rises or the right one falls until they meet.
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

static int pair_with_sum(const int *a, int n, long target, int *x, int *y)
{
    int left = 0, right = n - 1;
    while (left < right) {
        long sum = (long)a[left] + a[right];
        if (sum == target) {
            *x = left;
            *y = right;
            return 1;
        }
        if (sum < target)
            ++left;
        else
            --right;
    }
    return 0;
}

int main(void)
{
    int a[16], x, y;
    for (int i = 0; i < 16; i++)
        a[i] = __VERIFIER_nondet_int();
    if (pair_with_sum(a, 16, __VERIFIER_nondet_int(), &x, &y))
        printf("%d %d\n", x, y);
    return 0;
}
