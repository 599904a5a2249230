/* Powers by repeated squaring, recursively. */
#include <stdio.h>

static unsigned long power(unsigned long base, unsigned exponent)
{
    if (exponent == 0)
        return 1;
    unsigned long half = power(base, exponent / 2);
    if (exponent % 2 == 0)
        return half * half;
    return base * half * half;
}

int main(void)
{
    unsigned long b;
    unsigned e;
    if (scanf("%lu %u", &b, &e) != 2)
        return 1;
    printf("%lu\n", power(b, e));
    return 0;
}
