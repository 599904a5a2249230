// Endless on the fixed board when started in the middle: four arrows form a ring and no field is marked as seen.
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

#define N 5

static const char board[N][N + 1] = {
    ">>>>v",
    "^>v>v",
    "^^<^v",
    "^v<<v",
    "^>>>.",
};

static unsigned walk(int r, int c)
{
    unsigned steps = 0;
    while (board[r][c] != '.') {
        switch (board[r][c]) {
        case '>': c++; break;
        case '<': c--; break;
        case '^': r--; break;
        case 'v': r++; break;
        }
        steps++;
    }
    return steps;
}

int main(void)
{
    int r = __VERIFIER_nondet_int(), c = __VERIFIER_nondet_int();
    if (r < 0 || r >= N || c < 0 || c >= N)
        return 1;
    printf("%u steps\n", walk(r, c));
    return 0;
}
