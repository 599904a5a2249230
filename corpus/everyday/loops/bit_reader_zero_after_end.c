// Endless if all data bytes are zero: after the end the reader goes on to deliver zeros and the code never stops.
#include <stdio.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

#define BYTES 4u

struct reader {
    unsigned char data[BYTES];
    unsigned pos;
};

static unsigned bit(struct reader *r)
{
    if (r->pos >= BYTES * 8)
        return 0;
    unsigned b = r->data[r->pos / 8] >> (r->pos % 8) & 1u;
    r->pos++;
    return b;
}

static unsigned unary(struct reader *r)
{
    unsigned n = 0;
    while (bit(r) == 0)
        n++;
    return n;
}

int main(void)
{
    struct reader r = { .pos = 0 };
    for (unsigned i = 0; i < BYTES; i++)
        r.data[i] = __VERIFIER_nondet_uchar();
    printf("%u\n", unary(&r));
    return 0;
}
