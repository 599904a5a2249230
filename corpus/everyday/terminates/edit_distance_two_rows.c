// Ends: the loops run once over each of the two words.
#include <stdio.h>
#include <string.h>

#define WORD 63

static int min3(int a, int b, int c)
{
    int m = a < b ? a : b;
    return m < c ? m : c;
}

static int distance(const char *s, const char *t)
{
    int row[WORD + 1];
    int n = (int)strlen(t);
    for (int j = 0; j <= n; j++)
        row[j] = j;
    for (int i = 1; *s; s++, i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= n; j++) {
            int old = row[j];
            row[j] = min3(old + 1, row[j - 1] + 1, diagonal + (*s != t[j - 1]));
            diagonal = old;
        }
    }
    return row[n];
}

int main(void)
{
    char a[WORD + 1], b[WORD + 1];
    if (scanf("%63s %63s", a, b) != 2)
        return 1;
    printf("%d\n", distance(a, b));
    return 0;
}
