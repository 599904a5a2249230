// Ends: a code of zeros ends at the first one bit or at the end of the data, and reading always uses a bit.
#include <stdio.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

struct bits {
    const unsigned char *data;
    unsigned pos, end;
};

static int get_bit(struct bits *b)
{
    if (b->pos >= b->end)
        return -1;
    int v = b->data[b->pos >> 3] >> (7 - (b->pos & 7)) & 1;
    b->pos++;
    return v;
}

static long get_gamma(struct bits *b)
{
    int zeros = 0, bit;
    while ((bit = get_bit(b)) == 0)
        zeros++;
    if (bit < 0 || zeros > 20)
        return -1;
    long v = 1;
    while (zeros-- > 0) {
        bit = get_bit(b);
        if (bit < 0)
            return -1;
        v = v * 2 + bit;
    }
    return v;
}

int main(void)
{
    unsigned char raw[12];
    for (int i = 0; i < 12; i++)
        raw[i] = __VERIFIER_nondet_uchar();
    struct bits b = { raw, 0, 96 };
    long v;
    while ((v = get_gamma(&b)) > 0)
        printf("%ld ", v);
    putchar('\n');
    return 0;
}
