// Endless without any input: a float cannot count past 16777216 in steps of one.
#include <stdio.h>

static float limit(int millions)
{
    return (float)millions * 1000000.0f;
}

static double sum_up_to(float end)
{
    double sum = 0;
    float f = 0.0f;
    while (f < end) {
        sum += f;
        f += 1.0f;
    }
    return sum;
}

int main(void)
{
    printf("%g\n", sum_up_to(limit(2)));
    printf("%g\n", sum_up_to(limit(20)));
    return 0;
}
