// Ends: the largest value divided by the growing power of ten reaches zero; the power cannot overflow in 64 bits.
#include <string.h>

extern unsigned int __VERIFIER_nondet_uint(void);

#define N 30

static unsigned maximum(const unsigned *a, int n)
{
    unsigned m = a[0];
    for (int i = 1; i < n; i++)
        if (a[i] > m)
            m = a[i];
    return m;
}

static void pass(unsigned *a, int n, unsigned long long exp)
{
    unsigned out[N];
    int count[10] = {0};
    for (int i = 0; i < n; i++)
        count[a[i] / exp % 10]++;
    for (int d = 1; d < 10; d++)
        count[d] += count[d - 1];
    for (int i = n - 1; i >= 0; i--)
        out[--count[a[i] / exp % 10]] = a[i];
    memcpy(a, out, (size_t)n * sizeof *a);
}

int main(void)
{
    unsigned a[N];
    for (int i = 0; i < N; i++)
        a[i] = __VERIFIER_nondet_uint();
    unsigned m = maximum(a, N);
    for (unsigned long long exp = 1; m / exp > 0; exp *= 10)
        pass(a, N, exp);
    return a[0] > a[N - 1];
}
