/* Newton's method on integers goes to and fro between two numbers. */
#include <stdio.h>

int main(void)
{
    unsigned n, x, y;
    if (scanf("%u", &n) != 1 || n == 0 || n > 10000)
        return 1;
    x = n;
    y = 0;
    while (x != y) {
        y = x;
        x = (x + n / x) / 2;
        if (x == 0)
            return 0;
    }
    printf("%u\n", x);
    return 0;
}
