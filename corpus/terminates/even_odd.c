/* Even and odd by mutual recursion. */
#include <stdio.h>

static int is_odd(unsigned n);

static int is_even(unsigned n)
{
    return n == 0 ? 1 : is_odd(n - 1);
}

static int is_odd(unsigned n)
{
    return n == 0 ? 0 : is_even(n - 1);
}

int main(void)
{
    unsigned n;
    if (scanf("%u", &n) != 1)
        return 1;
    puts(is_even(n) ? "even" : "odd");
    return 0;
}
