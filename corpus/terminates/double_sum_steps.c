/* Adds up a function in steps of a tenth. */
#include <stdio.h>

int main(void)
{
    double sum = 0.0;
    for (double x = 0.0; x < 10.0; x += 0.1)
        sum += x * x * 0.1;
    printf("%f\n", sum);
    return 0;
}
