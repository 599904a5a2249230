// Ends: hi - lo shrinks with each probe, since the middle itself is left out.
#include <stdio.h>
#include <stdlib.h>

static const int primes[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47};

static int search(const int *a, int n, int key)
{
    int lo = 0, hi = n - 1;
    while (lo <= hi) {
        int mid = lo + (hi - lo) / 2;
        if (a[mid] == key)
            return mid;
        if (a[mid] < key)
            lo = mid + 1;
        else
            hi = mid - 1;
    }
    return -1;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fputs("usage: search number\n", stderr);
        return 2;
    }
    int n = (int)(sizeof primes / sizeof primes[0]);
    int at = search(primes, n, atoi(argv[1]));
    printf("%d\n", at);
    return at < 0;
}
