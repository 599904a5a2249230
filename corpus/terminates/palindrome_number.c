/* Is the number the same backwards? */
#include <stdio.h>

int main(void)
{
    int n, reversed = 0;
    if (scanf("%d", &n) != 1 || n < 0)
        return 1;
    int rest = n;
    while (rest != 0) {
        reversed = reversed * 10 + rest % 10;
        rest /= 10;
        if (reversed > 100000000)
            break;
    }
    puts(reversed == n ? "yes" : "no");
    return 0;
}
