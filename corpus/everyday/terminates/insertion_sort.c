// Ends: the inner index falls to zero at the latest, the outer one rises to n.
#include <stdio.h>

#define MAX 32

extern int __VERIFIER_nondet_int(void);

static void insertion_sort(int *v, int n)
{
    for (int i = 1; i < n; i++) {
        int key = v[i];
        int j = i - 1;
        while (j >= 0 && v[j] > key) {
            v[j + 1] = v[j];
            j--;
        }
        v[j + 1] = key;
    }
}

int main(void)
{
    int v[MAX];
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > MAX)
        return 1;
    for (int i = 0; i < n; i++)
        v[i] = __VERIFIER_nondet_int();
    insertion_sort(v, n);
    for (int i = 0; i < n; i++)
        printf("%d\n", v[i]);
    return 0;
}
