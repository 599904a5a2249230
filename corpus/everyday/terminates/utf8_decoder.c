// Ends: a decoded character is one to four bytes long and a bad byte is skipped singly.
#include <stdio.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static int decode(const unsigned char *p, int left, unsigned *cp)
{
    int len, i;
    if (p[0] < 0x80) {
        *cp = p[0];
        return 1;
    } else if ((p[0] & 0xE0) == 0xC0) {
        len = 2;
        *cp = p[0] & 0x1F;
    } else if ((p[0] & 0xF0) == 0xE0) {
        len = 3;
        *cp = p[0] & 0x0F;
    } else if ((p[0] & 0xF8) == 0xF0) {
        len = 4;
        *cp = p[0] & 0x07;
    } else {
        return 0;
    }
    if (len > left)
        return 0;
    for (i = 1; i < len; i++) {
        if ((p[i] & 0xC0) != 0x80)
            return 0;
        *cp = *cp << 6 | (p[i] & 0x3F);
    }
    return len;
}

int main(void)
{
    unsigned char b[40];
    int pos = 0, good = 0, bad = 0;
    for (int i = 0; i < 40; i++)
        b[i] = __VERIFIER_nondet_uchar();
    while (pos < 40) {
        unsigned cp;
        int n = decode(b + pos, 40 - pos, &cp);
        if (n == 0) {
            bad++;
            pos++;
        } else {
            good++;
            pos += n;
        }
    }
    printf("%d good, %d bad\n", good, bad);
    return 0;
}
