// Endless for a length of 256 or more: the index is a byte and wraps to zero before it gets there.
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

static unsigned checksum(const unsigned char *p, int n)
{
    unsigned sum = 0;
    for (unsigned char i = 0; i < n; i++)
        sum = sum * 31u + p[i];
    return sum;
}

int main(void)
{
    static unsigned char buffer[1024];
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > (int)sizeof buffer)
        return 1;
    for (int i = 0; i < n; i++)
        buffer[i] = (unsigned char)(i * 7);
    printf("%u\n", checksum(buffer, n));
    return 0;
}
