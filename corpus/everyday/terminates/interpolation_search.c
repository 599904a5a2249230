// Ends: the probe lies within the interval and is left out of the next one.
extern int __VERIFIER_nondet_int(void);

#define N 20

static int interpolation_search(const int *a, int n, int key)
{
    int lo = 0, hi = n - 1;
    while (lo <= hi && key >= a[lo] && key <= a[hi]) {
        if (a[lo] == a[hi])
            return lo;
        long long span = (long long)a[hi] - a[lo];
        long long dist = (long long)key - a[lo];
        int pos = lo + (int)(dist * (hi - lo) / span);
        if (a[pos] == key)
            return pos;
        if (a[pos] < key)
            lo = pos + 1;
        else
            hi = pos - 1;
    }
    return -1;
}

int main(void)
{
    int a[N];
    int v = 0;
    for (int i = 0; i < N; i++) {
        int step = __VERIFIER_nondet_int();
        if (step < 0 || step > 1000)
            step = 7;
        v += step;
        a[i] = v;
    }
    return interpolation_search(a, N, __VERIFIER_nondet_int()) >= 0;
}
