// Ends: dividing by ten reaches zero, and the digit sum of two digits or more is smaller than the number.
#include <stdio.h>

extern unsigned long __VERIFIER_nondet_ulong(void);

static unsigned long digit_sum(unsigned long n)
{
    unsigned long sum = 0;
    do {
        sum += n % 10;
        n /= 10;
    } while (n > 0);
    return sum;
}

static unsigned long digital_root(unsigned long n)
{
    while (n >= 10)
        n = digit_sum(n);
    return n;
}

int main(void)
{
    unsigned long n = __VERIFIER_nondet_ulong();
    printf("%lu\n", digital_root(n));
    return 0;
}
