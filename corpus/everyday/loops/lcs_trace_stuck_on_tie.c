// Endless for ab and ba: if both neighbours have the same length, the trace goes nowhere.
#include <stdio.h>
#include <string.h>

#define MAX 40

static int len[MAX + 1][MAX + 1];

static void fill(const char *a, int n, const char *b, int m)
{
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++)
            if (a[i - 1] == b[j - 1])
                len[i][j] = len[i - 1][j - 1] + 1;
            else
                len[i][j] = len[i - 1][j] > len[i][j - 1] ? len[i - 1][j] : len[i][j - 1];
}

int main(int argc, char **argv)
{
    if (argc != 3 || strlen(argv[1]) > MAX || strlen(argv[2]) > MAX)
        return 1;
    const char *a = argv[1], *b = argv[2];
    int i = (int)strlen(a), j = (int)strlen(b);
    fill(a, i, b, j);
    while (i > 0 && j > 0) {
        if (a[i - 1] == b[j - 1]) {
            putchar(a[i - 1]);
            i--;
            j--;
        } else if (len[i - 1][j] > len[i][j - 1]) {
            i--;
        } else if (len[i - 1][j] < len[i][j - 1]) {
            j--;
        }
    }
    putchar('\n');
    return 0;
}
