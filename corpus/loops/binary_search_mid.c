/* lo = mid stays where it is when hi is lo + 1. */
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int lo = 0, hi = 100, key = __VERIFIER_nondet_int();
    while (lo < hi) {
        int mid = (lo + hi) / 2;
        if (mid * 2 <= key)
            lo = mid;
        else
            hi = mid - 1;
    }
    return lo;
}
