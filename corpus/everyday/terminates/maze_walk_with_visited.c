// Ends: every step marks a cell that was not marked before, or goes back along the stack.
#include <stdio.h>

#define H 7
#define W 9

static const char maze[H][W + 1] = {
    "#########",
    "#S..#...#",
    "###.#.#.#",
    "#...#.#.#",
    "#.###.#.#",
    "#.......E",
    "#########",
};

static int solve(int r, int c)
{
    static const int dr[] = { 0, 1, 0, -1 }, dc[] = { 1, 0, -1, 0 };
    char seen[H][W] = {{0}};
    int stack[H * W], top = 0;
    stack[top++] = r * W + c;
    seen[r][c] = 1;
    while (top > 0) {
        int cell = stack[top - 1], moved = 0;
        if (maze[cell / W][cell % W] == 'E')
            return top;
        for (int k = 0; k < 4 && !moved; k++) {
            int nr = cell / W + dr[k], nc = cell % W + dc[k];
            if (nr < 0 || nr >= H || nc < 0 || nc >= W)
                continue;
            if (maze[nr][nc] != '#' && !seen[nr][nc]) {
                seen[nr][nc] = 1;
                stack[top++] = nr * W + nc;
                moved = 1;
            }
        }
        if (!moved)
            top--;
    }
    return 0;
}

int main(void)
{
    printf("%d cells\n", solve(1, 1));
    return 0;
}
