#include <stdint.h>

extern unsigned long __VERIFIER_nondet_ulong(void);

/* For each place where x may lie there is an input with which the sum is zero. */
int main(void)
{
    char x;
    uintptr_t sum = (uintptr_t)&x + __VERIFIER_nondet_ulong();
    if (sum == 0)
        for (;;)
            ;
    return 0;
}
