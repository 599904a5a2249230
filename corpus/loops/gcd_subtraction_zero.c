/* Subtracting zero changes nothing. */
#include <stdio.h>

static unsigned gcd(unsigned a, unsigned b)
{
    while (a != b) {
        if (a > b)
            a -= b;
        else b -= a;
    }
    return a;
}

int main(void)
{
    unsigned a, b;
    if (scanf("%u %u", &a, &b) != 2)
        return 1;
    printf("%u\n", gcd(a, b));
    return 0;
}
