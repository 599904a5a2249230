// Only an overflow makes x the least number; where integers wrap around, that ends the loop.
#include <limits.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    if (x < 0)
        return 0;
    while (1) {
        x++;
        if ((x == INT_MIN) | (__VERIFIER_nondet_int() == 7))
            break;
    }
    return 0;
}
