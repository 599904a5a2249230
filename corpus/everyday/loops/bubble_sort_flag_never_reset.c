// Endless for 2, 1: once the flag is set by a swap, no later pass clears it.
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

static void bubble_sort(int *a, int n)
{
    int done = 0;
    int swapped = 0;
    while (!done) {
        for (int i = 1; i < n; i++) {
            if (a[i] < a[i - 1]) {
                int t = a[i];
                a[i] = a[i - 1];
                a[i - 1] = t;
                swapped = 1;
            }
        }
        done = !swapped;
    }
}

int main(void)
{
    int a[16];
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 16)
        return 0;
    for (int i = 0; i < n; i++)
        a[i] = __VERIFIER_nondet_int();
    bubble_sort(a, n);
    printf("%d\n", a[0]);
    return 0;
}
