// Variable-length arrays and alloca, in loops, nested, of arrays, passed on.
#include <alloca.h>
#include <stdio.h>
#include <string.h>

static int sum(int n, const int a[n]) { return n ? a[n - 1] + sum(n - 1, a) : 0; }

static long pascal(int n) {
    long rows[n + 1][n + 1];
    for (int i = 0; i <= n; i++) {
        rows[i][0] = rows[i][i] = 1;
        for (int j = 1; j < i; j++) rows[i][j] = rows[i - 1][j - 1] + rows[i - 1][j];
    }
    return rows[n][n / 2];
}

static char *fill(char *to, char c, int n) {
    memset(to, c, n);
    to[n] = 0;
    return to;
}

int main(void) {
    int total = 0;
    for (int n = 1; n < 30; n++) {
        int a[n];
        for (int i = 0; i < n; i++) a[i] = i;
        total += sum(n, a);
        char b[n][2];
        total += sizeof b;
        if (n % 7 == 0) continue;
        {
            short c[n + 1];
            c[n] = (short)n;
            total += c[n] + (int)sizeof c;
        }
    }
    printf("%d %ld\n", total, pascal(16));
    char *kept[5];
    for (int i = 0; i < 5; i++) kept[i] = fill(alloca(i + 2), (char)('a' + i), i + 1);
    for (int i = 0; i < 5; i++) printf("%s ", kept[i]);
    int n = 3;
    int table[n][n + 1];
    int (*row)[n + 1] = table + 1;
    n = 100;
    printf("%zu %zu %td\n", sizeof table, sizeof *row, (char *)row - (char *)table);
    typedef int vector[n / 10];
    vector v;
    printf("%zu\n", sizeof v / sizeof *v);
again:;
    int again[n];
    again[n - 1] = n;
    if (--n > 95) goto again;
    printf("%d\n", again[n]);
    return 0;
}
