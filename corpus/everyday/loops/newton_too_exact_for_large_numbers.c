// Endless for the fixed number 1000003: near a million doubles are too coarse for a residue below 1e-12.
#include <math.h>
#include <stdio.h>

#define EPS 1e-12

static double residue(double x, double a)
{
    return fabs(x * x - a);
}

static double root(double a)
{
    double x = a;
    while (residue(x, a) > EPS)
        x = (x + a / x) / 2;
    return x;
}

int main(void)
{
    printf("%.12f\n", root(2.0));
    printf("%.12f\n", root(1000003.0));
    return 0;
}
