// Ends: a call goes one row deeper, and the columns of a row are tried in order.
#include <stdio.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

#define MAX 8

static int column[MAX];

static int safe(int row, int c)
{
    for (int r = 0; r < row; r++)
        if (column[r] == c || abs(column[r] - c) == row - r)
            return 0;
    return 1;
}

static int place(int row, int n)
{
    if (row == n)
        return 1;
    int solutions = 0;
    for (int c = 0; c < n; c++)
        if (safe(row, c)) {
            column[row] = c;
            solutions += place(row + 1, n);
        }
    return solutions;
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > MAX)
        return 1;
    printf("%d\n", place(0, n));
    return 0;
}
