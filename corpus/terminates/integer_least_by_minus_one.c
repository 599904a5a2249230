extern int __VERIFIER_nondet_int(void);
#include <limits.h>

int main(void)
{
    int x = __VERIFIER_nondet_int();
    int y = __VERIFIER_nondet_int();
    int z = x % y;
    while (x == INT_MIN && y == -1)
        ;
    return z;
}
