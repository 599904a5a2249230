// Endless for the base 1 and a number other than 0: dividing by one never reaches zero.
#include <stdio.h>

extern unsigned int __VERIFIER_nondet_uint(void);

static unsigned digits(unsigned n, unsigned base)
{
    unsigned d = 1;
    if (base == 0)
        return 0;
    while (n >= base) {
        n /= base;
        d++;
    }
    return d;
}

static void print_padded(unsigned n, unsigned base, unsigned width)
{
    for (unsigned k = digits(n, base); k < width; k++)
        putchar(' ');
    printf("%u\n", n);
}

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint(), base = __VERIFIER_nondet_uint();
    print_padded(n, base, 12);
    return 0;
}
