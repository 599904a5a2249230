// Ends: the robot has a battery that loses charge with every move, however the arrows lead it.
#include <stdio.h>

extern unsigned int __VERIFIER_nondet_uint(void);

#define N 6

static void fill(char g[N][N])
{
    for (int r = 0; r < N; r++)
        for (int c = 0; c < N; c++)
            g[r][c] = "<>^v"[__VERIFIER_nondet_uint() % 4];
}

static int walk(char g[N][N], int battery)
{
    int r = N / 2, c = N / 2, moves = 0;
    while (r >= 0 && r < N && c >= 0 && c < N) {
        if (battery-- <= 0)
            return -1;
        switch (g[r][c]) {
        case '<': c--; break;
        case '>': c++; break;
        case '^': r--; break;
        default: r++; break;
        }
        moves++;
    }
    return moves;
}

int main(void)
{
    char g[N][N];
    fill(g);
    printf("%d\n", walk(g, 3 * N * N));
    return 0;
}
