// Ends: the row is updated from right to left, and rows are counted up to a checked bound.
#include <stdio.h>

static unsigned long row[64];

static void next_row(int n)
{
    for (int k = n; k > 0; k--)
        row[k] += row[k - 1];
}

int main(void)
{
    int rows;
    if (scanf("%d", &rows) != 1 || rows < 0 || rows > 60)
        return 1;
    row[0] = 1;
    for (int n = 0; n < rows; n++) {
        for (int k = 0; k <= n; k++)
            printf("%lu%c", row[k], k == n ? '\n' : ' ');
        next_row(n + 1);
    }
    return 0;
}
