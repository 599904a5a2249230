// Endless for every input: the gap falls to zero, every element is compared with itself, and it is never one again.
#include <stdbool.h>

extern int __VERIFIER_nondet_int(void);

#define N 9

static bool comb(int *a, int n, int gap)
{
    bool swapped = false;
    for (int i = 0; i + gap < n; i++)
        if (a[i] > a[i + gap]) {
            int t = a[i];
            a[i] = a[i + gap];
            a[i + gap] = t;
            swapped = true;
        }
    return swapped;
}

int main(void)
{
    int a[N], gap = N;
    bool swapped = true;
    for (int i = 0; i < N; i++)
        a[i] = __VERIFIER_nondet_int();
    while (gap != 1 || swapped) {
        gap = gap / 3 * 2;
        swapped = comb(a, N, gap);
    }
    return 0;
}
