// Ends: the two functions call each other with a number lower by one, from at most 1000.
#include <stdbool.h>

extern unsigned int __VERIFIER_nondet_uint(void);

static bool is_odd(unsigned n);

static bool is_even(unsigned n)
{
    return n == 0 ? true : is_odd(n - 1);
}

static bool is_odd(unsigned n)
{
    return n == 0 ? false : is_even(n - 1);
}

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint() % 1001;
    return is_even(n) == is_odd(n);
}
