// Endless if a pair has exactly the wanted sum: neither pointer moves after counting it.
#include <limits.h>

extern int __VERIFIER_nondet_int(void);

static unsigned pairs(const int *a, int n, long target)
{
    unsigned count = 0;
    int left = 0, right = n - 1;
    while (left < right) {
        long sum = (long)a[left] + a[right];
        if (sum < target)
            left++;
        else if (sum > target)
            right--;
        else
            count++;
    }
    return count;
}

int main(void)
{
    int a[10];
    for (int i = 0; i < 10; i++)
        a[i] = __VERIFIER_nondet_int();
    return pairs(a, 10, __VERIFIER_nondet_int()) > UINT_MAX / 2;
}
