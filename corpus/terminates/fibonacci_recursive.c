/* Fibonacci numbers by plain recursion. */
#include <stdio.h>

static unsigned fib(int n)
{
    if (n <= 1)
        return n < 0 ? 0 : n;
    return fib(n - 1) + fib(n - 2);
}

int main(void)
{
    int n;
    if (scanf("%d", &n) != 1)
        return 1;
    printf("%u\n", fib(n));
    return 0;
}
