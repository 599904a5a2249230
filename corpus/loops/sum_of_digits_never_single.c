/* The number itself is never replaced. */
#include <stdio.h>

int main(void)
{
    unsigned n, sum = 0;
    if (scanf("%u", &n) != 1)
        return 1;
    while (n > 9) {
        unsigned m = n;
        sum = 0;
        while (m) {
            sum += m % 10;
            m /= 10;
        }
    }
    printf("%u\n", sum);
    return 0;
}
