// Ends: the carry is divided by ten until nothing is left; the factors are counted up.
#include <stdio.h>

#define DIGITS 3000

extern unsigned short __VERIFIER_nondet_ushort(void);

static unsigned char digit[DIGITS];
static int length = 1;

static int multiply(unsigned factor)
{
    unsigned carry = 0;
    for (int i = 0; i < length; i++) {
        carry += digit[i] * factor;
        digit[i] = (unsigned char)(carry % 10);
        carry /= 10;
    }
    while (carry > 0) {
        if (length == DIGITS)
            return -1;
        digit[length++] = (unsigned char)(carry % 10);
        carry /= 10;
    }
    return 0;
}

int main(void)
{
    unsigned n = __VERIFIER_nondet_ushort();
    digit[0] = 1;
    for (unsigned k = 2; k <= n; k++)
        if (multiply(k) != 0)
            return 1;
    for (int i = length - 1; i >= 0; i--)
        putchar('0' + digit[i]);
    putchar('\n');
    return 0;
}
