// Ends: a run is at least one character long, so the outer index always gets on.
#include <stdio.h>
#include <string.h>

extern char __VERIFIER_nondet_char(void);

static int rle(const char *in, int n, char *out, int cap)
{
    int w = 0;
    for (int i = 0; i < n;) {
        int j = i + 1;
        while (j < n && in[j] == in[i] && j - i < 9)
            j++;
        if (w + 2 > cap)
            return -1;
        out[w++] = in[i];
        out[w++] = (char)('0' + (j - i));
        i = j;
    }
    return w;
}

static int unrle(const char *in, int n, char *out, int cap)
{
    int w = 0;
    for (int i = 0; i + 1 < n; i += 2) {
        int k = in[i + 1] - '0';
        while (k-- > 0) {
            if (w == cap)
                return -1;
            out[w++] = in[i];
        }
    }
    return w;
}

int main(void)
{
    char text[24], packed[48], back[24];
    for (int i = 0; i < 24; i++)
        text[i] = __VERIFIER_nondet_char();
    int m = rle(text, 24, packed, 48);
    int n = m < 0 ? -1 : unrle(packed, m, back, 24);
    return n == 24 && memcmp(text, back, 24) == 0 ? 0 : 1;
}
