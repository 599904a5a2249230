/* Is the number the sum of the powers of its digits? */
#include <stdio.h>

static int power(int base, int exponent)
{
    int result = 1;
    while (exponent-- > 0)
        result *= base;
    return result;
}

int main(void)
{
    int n;
    printf("n: ");
    if (scanf("%d", &n) != 1 || n < 0 || n > 99999)
        return 1;
    int digits = 0;
    for (int m = n; m > 0; m /= 10)
        digits++;
    int sum = 0;
    for (int m = n; m > 0; m /= 10)
        sum += power(m % 10, digits);
    printf("%s\n", sum == n ? "yes" : "no");
    return 0;
}
