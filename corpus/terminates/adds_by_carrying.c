// Addition with nothing but bits: each time, the carry has one more zero at its low end. The counter beside it changes
// nothing.
#include <stdio.h>

int main(void) {
    unsigned a, b;
    int rounds = 0;
    if (scanf("%u %u", &a, &b) != 2) return 1;
    while (b != 0) {
        unsigned carry = a & b;
        a = a ^ b;
        b = carry << 1;
        rounds++;
    }
    printf("%u after %d rounds\n", a, rounds);
    return 0;
}
