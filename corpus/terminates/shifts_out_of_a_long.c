// After at most 64 shifts all bits are gone.
#include <stdio.h>

int main(void) {
    unsigned long bits;
    int n = 0;
    if (scanf("%lu", &bits) != 1) return 1;
    while (bits != 0) {
        bits <<= 1;
        n++;
    }
    printf("%d\n", n);
    return 0;
}
