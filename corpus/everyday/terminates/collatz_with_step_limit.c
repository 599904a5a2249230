// Ends: whatever the sequence does, the steps are counted up to a limit.
#include <stdint.h>
#include <stdio.h>

extern unsigned int __VERIFIER_nondet_uint(void);

#define LIMIT 1000

static uint64_t next(uint64_t n)
{
    return n % 2 ? 3 * n + 1 : n / 2;
}

static int steps(uint64_t n)
{
    int count = 0;
    while (n != 1 && count < LIMIT) {
        n = next(n);
        count++;
    }
    return n == 1 ? count : -1;
}

int main(void)
{
    printf("%d\n", steps(__VERIFIER_nondet_uint()));
    return 0;
}
