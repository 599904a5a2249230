// Each call is for the next row.
#include <stdio.h>
#define N 8
static int col[N]; static int count;
static int safe(int row, int c) { for (int r = 0; r < row; r++) if (col[r] == c || col[r] - c == row - r || c - col[r] == row - r) return 0; return 1; }
static void solve(int row) { if (row == N) { count++; return; } for (int c = 0; c < N; c++) if (safe(row, c)) { col[row] = c; solve(row + 1); } }
int main(void) { solve(0); printf("%d\n", count); return 0; }
