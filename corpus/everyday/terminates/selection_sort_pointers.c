// Ends: both pointers only move up towards the end of the array.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static void swap(int *a, int *b)
{
    int t = *a;
    *a = *b;
    *b = t;
}

static void selection_sort(int *first, int *last)
{
    for (int *p = first; p != last; ++p) {
        int *least = p;
        for (int *q = p + 1; q != last; ++q)
            if (*q < *least)
                least = q;
        swap(p, least);
    }
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000)
        return 0;
    int *data = malloc(n * sizeof *data);
    if (!data)
        return 1;
    for (int i = 0; i < n; i++)
        data[i] = __VERIFIER_nondet_int();
    selection_sort(data, data + n);
    int smallest = data[0];
    free(data);
    return smallest == 0;
}
