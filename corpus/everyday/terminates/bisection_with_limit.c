// Ends: the countdown of tries bounds the halving even if the tolerance is never met.
#include <math.h>
#include <stdio.h>

static double cubic(double x)
{
    return x * x * x - 2 * x - 5;
}

static int bisect(double (*f)(double), double lo, double hi, double eps, double *out)
{
    int tries = 200;
    if (f(lo) * f(hi) > 0)
        return -1;
    while (fabs(hi - lo) > eps && tries > 0) {
        double mid = lo + (hi - lo) / 2;
        if (f(lo) * f(mid) <= 0)
            hi = mid;
        else
            lo = mid;
        --tries;
    }
    *out = lo;
    return 200 - tries;
}

int main(void)
{
    double r;
    double eps;
    if (scanf("%lf", &eps) != 1)
        eps = 1e-9;
    int n = bisect(cubic, 2.0, 3.0, eps, &r);
    if (n >= 0)
        printf("%.10f after %d\n", r, n);
    return 0;
}
