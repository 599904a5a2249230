// Ends: the pair of Fibonacci numbers grows beyond any int in 64 bits without overflow.
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

static int even_fibonacci_count(int limit)
{
    long long a = 0, b = 1;
    int count = 0;
    while (a <= limit) {
        if (a % 2 == 0)
            count++;
        long long c = a + b;
        a = b;
        b = c;
    }
    return count;
}

int main(void)
{
    printf("%d\n", even_fibonacci_count(__VERIFIER_nondet_int()));
    return 0;
}
