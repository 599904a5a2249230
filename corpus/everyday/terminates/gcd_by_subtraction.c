// Ends: both numbers stay positive and their sum falls with each subtraction.
#include <stdio.h>
#include <stdlib.h>

static int gcd(int a, int b)
{
    while (a != b) {
        if (a > b)
            a -= b;
        else
            b -= a;
    }
    return a;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    int a = atoi(argv[1]);
    int b = atoi(argv[2]);
    if (a <= 0 || b <= 0) {
        fputs("positive numbers, please\n", stderr);
        return 1;
    }
    printf("%d\n", gcd(a, b));
    return 0;
}
