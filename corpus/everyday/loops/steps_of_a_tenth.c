// Endless without any input: ten tenths added up are not exactly one, and later the sum no longer changes.
#include <stdio.h>

static double square(double x)
{
    return x * x;
}

static double area(double from, double to, double step)
{
    double sum = 0;
    for (double x = from; x != to; x += step)
        sum += square(x) * step;
    return sum;
}

int main(void)
{
    printf("%f\n", area(0.0, 1.0, 0.125));
    printf("%f\n", area(0.0, 1.0, 0.1));
    return 0;
}
