/* The bound is doubled, then the range is halved. */
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    unsigned n = 1000, bound = 1;
    while (bound < n && __VERIFIER_nondet_int())
        bound *= 2;
    unsigned lo = bound / 2, hi = bound < n ? bound : n;
    while (lo < hi) {
        unsigned mid = (lo + hi) / 2;
        if (__VERIFIER_nondet_int())
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo == 1;
}
