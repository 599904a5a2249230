// Endless for a negative start, e.g. -1: the square root is not a number, and no comparison with it is true.
#include <math.h>
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

static int close_enough(double a, double b)
{
    return fabs(a - b) < 1e-9 * 1000000.0;
}

static double agm(double a, double b)
{
    while (!close_enough(a, b)) {
        double m = (a + b) / 2;
        b = sqrt(a * b);
        a = m;
    }
    return a;
}

int main(void)
{
    int start = __VERIFIER_nondet_int();
    if (start > 1000 || start < -1000)
        return 1;
    printf("%f\n", agm(1.0, (double)start));
    return 0;
}
