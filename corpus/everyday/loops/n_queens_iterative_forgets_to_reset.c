// Endless for every run: a failing row is moved on, but going back does not move the earlier queen.
#include <stdio.h>
#include <stdlib.h>

#define N 4

static int column[N];

static int safe(int row)
{
    for (int r = 0; r < row; r++)
        if (column[r] == column[row] || abs(column[r] - column[row]) == row - r)
            return 0;
    return 1;
}

int main(void)
{
    int row = 0;
    while (row >= 0 && row < N) {
        while (column[row] < N && !safe(row))
            column[row]++;
        if (column[row] < N) {
            row++;
        } else {
            column[row] = 0;
            row--;
        }
    }
    printf("%d\n", row);
    return 0;
}
