// Ends: the middle is rounded up, so that moving lo to it makes the interval smaller too.
extern int __VERIFIER_nondet_int(void);

static long cube(long x)
{
    return x * x * x;
}

static int cube_root(int n)
{
    int lo = 0, hi = 1300;
    while (lo < hi) {
        int mid = (lo + hi + 1) / 2;
        if (cube(mid) <= n)
            lo = mid;
        else
            hi = mid - 1;
    }
    return lo;
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 0)
        return 1;
    int r = cube_root(n);
    return cube(r) == n;
}
