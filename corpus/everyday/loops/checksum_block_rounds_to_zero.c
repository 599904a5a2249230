// Endless for any buffer of more than zero bytes: the last rest is smaller than four and its quarter is zero.
#include <stddef.h>
#include <stdio.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned int __VERIFIER_nondet_uint(void);

static unsigned add_block(const unsigned char *p, size_t n, unsigned sum)
{
    while (n-- > 0)
        sum += *p++;
    return sum & 0xffffu;
}

static unsigned checksum(const unsigned char *p, size_t left)
{
    unsigned sum = 0;
    while (left > 0) {
        size_t block = left / 4;
        sum = add_block(p, block, sum);
        p += block;
        left -= block;
    }
    return sum;
}

int main(void)
{
    unsigned char b[100];
    size_t n = __VERIFIER_nondet_uint() % 101;
    for (size_t i = 0; i < n; i++)
        b[i] = __VERIFIER_nondet_uchar();
    printf("%u\n", checksum(b, n));
    return 0;
}
