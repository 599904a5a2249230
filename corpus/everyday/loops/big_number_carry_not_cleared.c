// Endless if all digits are nine: they become zero, and a zero neither takes the carry nor stops it.
#include <stdio.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

#define DIGITS 12

static unsigned char digit[DIGITS];

static void increment(void)
{
    int i = 0, carry = 1;
    while (carry) {
        if (digit[i] == 9)
            digit[i] = 0;
        else if (digit[i] > 0) {
            digit[i]++;
            carry = 0;
        }
        i = (i + 1) % DIGITS;
    }
}

int main(void)
{
    for (int i = 0; i < DIGITS; i++)
        digit[i] = __VERIFIER_nondet_uchar() % 10;
    increment();
    printf("%d\n", digit[0]);
    return 0;
}
