// Ends: the chain length, its start and its split point are counted up within constants.
#include <limits.h>
#include <stdio.h>

#define N 6

static const int dim[N + 1] = {30, 35, 15, 5, 10, 20, 25};

static long cost[N][N];

static long cheapest(int i, int j)
{
    long best = LONG_MAX;
    for (int k = i; k < j; k++) {
        long c = cost[i][k] + cost[k + 1][j] + (long)dim[i] * dim[k + 1] * dim[j + 1];
        if (c < best)
            best = c;
    }
    return best;
}

int main(void)
{
    for (int len = 2; len <= N; len++)
        for (int i = 0, j = len - 1; j < N; i++, j++)
            cost[i][j] = cheapest(i, j);
    printf("%ld\n", cost[0][N - 1]);
    return 0;
}
