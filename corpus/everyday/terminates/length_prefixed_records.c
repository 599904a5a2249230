// Ends: a record takes its header of two bytes and then its payload, so the offset always grows.
#include <stdio.h>
#include <string.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

struct stats {
    int names, numbers, unknown;
};

static int decode(const unsigned char *b, size_t n, struct stats *st)
{
    size_t off = 0;
    memset(st, 0, sizeof *st);
    while (n - off >= 2) {
        unsigned type = b[off];
        size_t len = b[off + 1];
        off += 2;
        if (len > n - off)
            return -1;
        switch (type & 3) {
        case 1: st->names++; break;
        case 2: st->numbers++; break;
        default: st->unknown++; break;
        }
        off += len;
    }
    return off == n ? 0 : -2;
}

int main(void)
{
    unsigned char packet[128];
    struct stats st;
    for (size_t i = 0; i < sizeof packet; i++)
        packet[i] = __VERIFIER_nondet_uchar();
    int r = decode(packet, sizeof packet, &st);
    printf("%d: %d %d %d\n", r, st.names, st.numbers, st.unknown);
    return 0;
}
