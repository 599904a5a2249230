/* An unsigned index is never below zero; the array is taken modulo its size. */
#include <stdio.h>

int main(void)
{
    static int a[8];
    unsigned i;
    for (i = 7; i >= 0; i--) {
        a[i % 8] ^= (int)i & 3;
    }
    printf("%d\n", a[0]);
    return 0;
}
