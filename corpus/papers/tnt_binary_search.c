/* TNT, Figure 1: the sum of two unsigned places wraps around.
   truth: c loops, wrap loops, unbounded terminates (open) */
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int bsearch(int a[], int k, unsigned int lo, unsigned int hi)
{
    unsigned int mid;
    while (lo < hi) {
        mid = (lo + hi)/2;
        if (a[mid] < k) {
            lo = mid + 1;
        } else if (a[mid] > k) {
            hi = mid - 1;
        } else {
            return mid;
        }
    }
    return -1;
}

int main(void)
{
    int a[4];
    for (int i = 0; i < 4; i++)
        a[i] = __VERIFIER_nondet_int();
    int k = __VERIFIER_nondet_int();
    unsigned lo = __VERIFIER_nondet_uint(), hi = __VERIFIER_nondet_uint();
    return bsearch(a, k, lo, hi);
}
