/* Doubling comes to zero for large n. */
#include <stdio.h>

int main(void)
{
    unsigned n, p = 1;
    if (scanf("%u", &n) != 1)
        return 1;
    while (p < n)
        p *= 2;
    printf("%u\n", p);
    return 0;
}
