// Endless for an array with two equal elements: they are swapped again and again, and the flag stays set.
#include <stdbool.h>

extern int __VERIFIER_nondet_int(void);

#define N 10

static bool pass(int *a, int n)
{
    bool swapped = false;
    for (int i = 0; i + 1 < n; i++) {
        if (a[i] >= a[i + 1]) {
            int t = a[i];
            a[i] = a[i + 1];
            a[i + 1] = t;
            swapped = true;
        }
    }
    return swapped;
}

int main(void)
{
    int a[N];
    for (int i = 0; i < N; i++)
        a[i] = __VERIFIER_nondet_int();
    while (pass(a, N))
        ;
    return a[0];
}
