// Ends: whatever the floating comparison says, at most fifty rounds are made.
#include <math.h>
#include <stdio.h>

extern double __VERIFIER_nondet_double(void);

static double root(double a)
{
    double x = a > 1 ? a : 1;
    int it;
    for (it = 0; it < 50; it++) {
        double y = 0.5 * (x + a / x);
        if (fabs(y - x) < 1e-12)
            break;
        x = y;
    }
    return x;
}

int main(void)
{
    double a = __VERIFIER_nondet_double();
    if (!(a >= 0))
        return 1;
    printf("%f %f\n", root(a), root(2.0));
    return 0;
}
