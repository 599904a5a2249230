// Ends: the rounds are limited by a seen table, in which every visited value is marked once.
#include <stdbool.h>
#include <string.h>

extern unsigned int __VERIFIER_nondet_uint(void);

static unsigned square_digits(unsigned n)
{
    unsigned s = 0;
    for (; n > 0; n /= 10) {
        unsigned d = n % 10;
        s += d * d;
    }
    return s;
}

static bool is_happy(unsigned n)
{
    bool seen[811];
    memset(seen, 0, sizeof seen);
    n = square_digits(n);
    while (n != 1 && !seen[n]) {
        seen[n] = true;
        n = square_digits(n);
    }
    return n == 1;
}

int main(void)
{
    return is_happy(__VERIFIER_nondet_uint());
}
