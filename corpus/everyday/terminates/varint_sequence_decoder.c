// Ends: a number of variable length takes at least one byte, or the decoder reports an error and the caller stops.
#include <stdio.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static const unsigned char *varint(const unsigned char *p, const unsigned char *end, unsigned *v)
{
    unsigned shift = 0;
    *v = 0;
    while (p != end) {
        unsigned char b = *p++;
        if (shift > 21)
            return NULL;
        *v |= (unsigned)(b & 0x7f) << shift;
        if (!(b & 0x80))
            return p;
        shift += 7;
    }
    return NULL;
}

int main(void)
{
    unsigned char buf[25];
    unsigned v, sum = 0;
    for (int i = 0; i < 25; i++)
        buf[i] = __VERIFIER_nondet_uchar();
    const unsigned char *p = buf, *end = buf + 25;
    while (p && p != end) {
        p = varint(p, end, &v);
        if (p)
            sum += v;
    }
    printf("%u\n", sum);
    return 0;
}
