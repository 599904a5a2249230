// Endless for a tolerance of zero: the interval ends as two neighbouring doubles and cannot be halved any more.
#include <stdio.h>

static double f(double x)
{
    return x * x - 2.0;
}

static double solve(double lo, double hi, double eps)
{
    while (hi - lo > eps) {
        double mid = (lo + hi) / 2;
        if (f(mid) < 0)
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}

int main(int argc, char **argv)
{
    double eps = 1e-6;
    if (argc > 1 && sscanf(argv[1], "%lf", &eps) != 1)
        return 1;
    printf("%.15f\n", solve(0.0, 2.0, eps));
    return 0;
}
