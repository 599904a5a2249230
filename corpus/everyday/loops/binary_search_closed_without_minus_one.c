// Endless for 6: the interval comes down to one element above the key, and hi = mid leaves it there.
#include <stdio.h>
#include <stdlib.h>

static const int primes[] = {2, 3, 5, 7, 11, 13, 17, 19};

static int find(int key)
{
    int lo = 0, hi = 7;
    while (lo <= hi) {
        int mid = lo + (hi - lo) / 2;
        if (primes[mid] == key)
            return mid;
        if (primes[mid] < key)
            lo = mid + 1;
        else
            hi = mid;
    }
    return -1;
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    printf("%d\n", find(atoi(argv[1])));
    return 0;
}
