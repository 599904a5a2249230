/* Digits of a number in a base from outside, into a buffer. */
#include <stdio.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
    char buffer[33];
    unsigned n = __VERIFIER_nondet_uint(), base = __VERIFIER_nondet_uint();
    int at = 32;
    if (base < 2 || base > 36)
        return 1;
    buffer[at] = 0;
    do {
        unsigned d = n % base;
        buffer[--at] = d < 10 ? '0' + d : 'a' + d - 10;
        n /= base;
    } while (n > 0 && at > 0);
    puts(buffer + at);
    return 0;
}
