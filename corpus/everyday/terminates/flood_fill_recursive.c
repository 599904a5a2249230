// Ends: each call that goes on has painted a cell in a colour different from the old one.
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

#define H 6
#define W 8

static int image[H][W];

static void fill(int y, int x, int from, int to)
{
    if (y < 0 || y >= H || x < 0 || x >= W || image[y][x] != from)
        return;
    image[y][x] = to;
    fill(y - 1, x, from, to);
    fill(y + 1, x, from, to);
    fill(y, x - 1, from, to);
    fill(y, x + 1, from, to);
}

int main(void)
{
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            image[y][x] = __VERIFIER_nondet_int() & 3;
    int colour = __VERIFIER_nondet_int();
    if (image[2][3] != colour)
        fill(2, 3, image[2][3], colour);
    printf("%d\n", image[0][0]);
    return 0;
}
