// Ends: three bytes are taken per round while three remain, then the rest once.
#include <stdio.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned int __VERIFIER_nondet_uint(void);

static const char alphabet[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static size_t encode(const unsigned char *in, size_t n, char *out)
{
    char *o = out;
    while (n >= 3) {
        unsigned v = (unsigned)in[0] << 16 | (unsigned)in[1] << 8 | in[2];
        for (int shift = 18; shift >= 0; shift -= 6)
            *o++ = alphabet[v >> shift & 63];
        in += 3;
        n -= 3;
    }
    if (n) {
        unsigned v = (unsigned)in[0] << 16;
        if (n == 2)
            v |= (unsigned)in[1] << 8;
        *o++ = alphabet[v >> 18 & 63];
        *o++ = alphabet[v >> 12 & 63];
        *o++ = n == 2 ? alphabet[v >> 6 & 63] : '=';
        *o++ = '=';
    }
    *o = '\0';
    return (size_t)(o - out);
}

int main(void)
{
    unsigned char raw[30];
    char text[41];
    size_t n = __VERIFIER_nondet_uint() % 31;
    for (size_t i = 0; i < n; i++)
        raw[i] = __VERIFIER_nondet_uchar();
    printf("%zu %s\n", encode(raw, n, text), text);
    return 0;
}
