// Ends: the rounds of the arithmetic-geometric mean are counted and stop at thirty.
#include <math.h>
#include <stdio.h>

static double agm(double a, double b, double eps)
{
    int rounds = 0;
    while (fabs(a - b) > eps) {
        double m = (a + b) / 2;
        double g = sqrt(a * b);
        a = m;
        b = g;
        if (++rounds == 30)
            break;
    }
    return a;
}

int main(int argc, char **argv)
{
    double x = 2.0;
    if (argc > 1 && sscanf(argv[1], "%lf", &x) != 1)
        x = 3.0;
    printf("%.15f\n", agm(1.0, x, 0.0));
    return 0;
}
