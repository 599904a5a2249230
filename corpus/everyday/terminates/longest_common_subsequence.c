// Ends: both table loops count up to string lengths, and the trace goes back towards the corner.
#include <stdio.h>
#include <string.h>

#define MAX 100

static int len[MAX + 1][MAX + 1];

static void fill(const char *a, int n, const char *b, int m)
{
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            if (a[i - 1] == b[j - 1])
                len[i][j] = len[i - 1][j - 1] + 1;
            else if (len[i - 1][j] > len[i][j - 1])
                len[i][j] = len[i - 1][j];
            else
                len[i][j] = len[i][j - 1];
        }
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 1;
    size_t n = strlen(argv[1]), m = strlen(argv[2]);
    if (n > MAX || m > MAX)
        return 1;
    fill(argv[1], (int)n, argv[2], (int)m);
    char out[MAX + 1];
    int i = (int)n, j = (int)m, k = len[i][j];
    out[k] = '\0';
    while (i > 0 && j > 0) {
        if (argv[1][i - 1] == argv[2][j - 1]) {
            out[--k] = argv[1][i - 1];
            i--;
            j--;
        } else if (len[i - 1][j] > len[i][j - 1]) {
            i--;
        } else {
            j--;
        }
    }
    puts(out);
    return 0;
}
