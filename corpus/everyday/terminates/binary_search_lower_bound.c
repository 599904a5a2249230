// Ends: the count of remaining elements is at least halved, whatever the array holds.
#include <stddef.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned short __VERIFIER_nondet_ushort(void);

static const int *lower_bound(const int *first, size_t count, int key)
{
    while (count > 0) {
        size_t step = count / 2;
        const int *it = first + step;
        if (*it < key) {
            first = it + 1;
            count -= step + 1;
        } else {
            count = step;
        }
    }
    return first;
}

int main(void)
{
    size_t n = __VERIFIER_nondet_ushort();
    int *a = calloc(n + 1, sizeof *a);
    if (a == NULL)
        return 1;
    for (size_t i = 0; i < n; i++)
        a[i] = __VERIFIER_nondet_int();
    const int *p = lower_bound(a, n, __VERIFIER_nondet_int());
    int found = p != a + n;
    free(a);
    return found;
}
