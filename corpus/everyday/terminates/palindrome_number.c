// Ends: the number loses its last digit in every round.
#include <stdio.h>

static int is_palindrome(int n)
{
    if (n < 0)
        return 0;
    long reversed = 0;
    int rest = n;
    while (rest != 0) {
        reversed = reversed * 10 + rest % 10;
        rest /= 10;
    }
    return reversed == n;
}

int main(void)
{
    int n;
    printf("number: ");
    if (scanf("%d", &n) != 1)
        return 1;
    puts(is_palindrome(n) ? "yes" : "no");
    return 0;
}
