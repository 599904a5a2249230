// Ends: the input index rises by one or two per token, and a copy has a length of at most eighteen.
#include <stdio.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

#define IN 64
#define OUT 256

static int inflate(const unsigned char *in, int n, unsigned char *out)
{
    int r = 0, w = 0;
    while (r < n) {
        unsigned char t = in[r++];
        if (t < 0x80) {
            if (w >= OUT)
                return -1;
            out[w++] = t;
            continue;
        }
        if (r >= n)
            return -1;
        int len = (t & 0x0f) + 3;
        int back = in[r++] + 1;
        if (back > w)
            return -2;
        while (len--) {
            if (w >= OUT)
                return -1;
            out[w] = out[w - back];
            w++;
        }
    }
    return w;
}

int main(void)
{
    unsigned char in[IN], out[OUT];
    for (int i = 0; i < IN; i++)
        in[i] = __VERIFIER_nondet_uchar();
    printf("%d bytes\n", inflate(in, IN, out));
    return 0;
}
