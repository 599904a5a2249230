// Ends: the two borders come closer with every round.
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

static int bubble_if_needed(int *x, int *y)
{
    if (*x <= *y)
        return 0;
    int t = *x;
    *x = *y;
    *y = t;
    return 1;
}

static void cocktail(int *a, int n)
{
    int left = 0, right = n - 1;
    int moved = 1;
    while (moved && left < right) {
        moved = 0;
        for (int i = left; i < right; i++)
            moved |= bubble_if_needed(&a[i], &a[i + 1]);
        right--;
        for (int i = right; i > left; i--)
            moved |= bubble_if_needed(&a[i - 1], &a[i]);
        left++;
    }
}

int main(void)
{
    int a[60], n = __VERIFIER_nondet_int();
    if (n <= 0 || n > 60)
        return 1;
    for (int i = 0; i < n; i++)
        a[i] = __VERIFIER_nondet_int();
    cocktail(a, n);
    printf("%d\n", a[n / 2]);
    return 0;
}
