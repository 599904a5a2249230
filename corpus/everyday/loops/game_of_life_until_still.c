// Endless for every run: the blinker flips for ever, so no two generations in a row are the same.
#include <string.h>

#define N 8

static char world[N][N];

static int neighbours(int y, int x)
{
    int n = -world[y][x];
    for (int i = y - 1; i <= y + 1; i++)
        for (int j = x - 1; j <= x + 1; j++)
            n += world[(i + N) % N][(j + N) % N];
    return n;
}

static int step(void)
{
    char next[N][N];
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++) {
            int n = neighbours(y, x);
            next[y][x] = n == 3 || (n == 2 && world[y][x]);
        }
    int same = memcmp(world, next, sizeof next) == 0;
    memcpy(world, next, sizeof next);
    return !same;
}

int main(void)
{
    world[3][2] = world[3][3] = world[3][4] = 1;
    while (step())
        ;
    return world[0][0];
}
