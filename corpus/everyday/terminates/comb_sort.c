// Ends: the gap shrinks to one, and then each further pass with a swap removes an inversion.
#include <stdbool.h>

extern int __VERIFIER_nondet_int(void);

static int next_gap(int gap)
{
    gap = gap * 10 / 13;
    return gap < 1 ? 1 : gap;
}

static void comb_sort(int *a, int n)
{
    int gap = n;
    bool swapped = true;
    while (gap != 1 || swapped) {
        gap = next_gap(gap);
        swapped = false;
        for (int i = 0; i + gap < n; i++) {
            if (a[i] > a[i + gap]) {
                int t = a[i];
                a[i] = a[i + gap];
                a[i + gap] = t;
                swapped = true;
            }
        }
    }
}

int main(void)
{
    int a[25];
    for (int i = 0; i < 25; i++)
        a[i] = __VERIFIER_nondet_int();
    comb_sort(a, 25);
    return 0;
}
