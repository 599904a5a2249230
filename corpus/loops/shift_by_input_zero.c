/* A shift by no bit. */
#include <stdio.h>

int main(void)
{
    unsigned x = 1000, by;
    if (scanf("%u", &by) != 1 || by > 31)
        return 1;
    int n = 0;
    while (x != 0) {
        x >>= by;
        n ^= 1;
    }
    printf("%d\n", n);
    return 0;
}
