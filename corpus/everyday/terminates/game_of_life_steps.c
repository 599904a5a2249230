// Ends: the generations are counted, and a still picture only stops it earlier.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define H 10
#define W 20

static char world[H][W];

static int neighbours(int y, int x)
{
    int n = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (dy != 0 || dx != 0)
                n += world[(y + dy + H) % H][(x + dx + W) % W];
    return n;
}

static int step(void)
{
    char next[H][W];
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            int n = neighbours(y, x);
            next[y][x] = n == 3 || (n == 2 && world[y][x]);
        }
    int changed = memcmp(world, next, sizeof world) != 0;
    memcpy(world, next, sizeof world);
    return changed;
}

int main(int argc, char **argv)
{
    int generations = argc > 1 ? atoi(argv[1]) : 50;
    world[1][2] = world[2][3] = world[3][1] = world[3][2] = world[3][3] = 1;
    while (generations-- > 0 && step())
        ;
    printf("%d\n", world[4][4]);
    return 0;
}
