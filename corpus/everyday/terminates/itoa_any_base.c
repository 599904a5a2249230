// Ends: the magnitude is divided by a base of at least two until it is zero.
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

static void reverse(char *s, int n)
{
    for (int i = 0, j = n - 1; i < j; i++, j--) {
        char c = s[i];
        s[i] = s[j];
        s[j] = c;
    }
}

static int to_text(int value, int base, char *out)
{
    unsigned u = value < 0 ? 0u - (unsigned)value : (unsigned)value;
    int n = 0;
    if (base < 2 || base > 36)
        return -1;
    do {
        out[n++] = "0123456789abcdefghijklmnopqrstuvwxyz"[u % (unsigned)base];
        u /= (unsigned)base;
    } while (u);
    if (value < 0)
        out[n++] = '-';
    reverse(out, n);
    out[n] = '\0';
    return n;
}

int main(void)
{
    char buf[40];
    if (to_text(__VERIFIER_nondet_int(), __VERIFIER_nondet_int(), buf) > 0)
        puts(buf);
    if (to_text(-2147483647 - 1, 2, buf) > 0)
        puts(buf);
    return 0;
}
