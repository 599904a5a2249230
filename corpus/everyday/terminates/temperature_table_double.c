// Ends: the temperature rises by a quarter, which a double holds exactly, up to a hundred.
#include <stdio.h>

static double to_fahrenheit(double c)
{
    return c * 9.0 / 5.0 + 32.0;
}

static void table(double from, double to, double step)
{
    for (double c = from; c <= to; c += step)
        printf("%7.2f C = %7.2f F\n", c, to_fahrenheit(c));
}

int main(void)
{
    table(-40.0, 100.0, 0.25);
    return 0;
}
