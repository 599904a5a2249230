// Ends: the pivot search and the elimination are counted by rows and columns.
extern unsigned int __VERIFIER_nondet_uint(void);

#define N 5
#define P 10007

static int a[N][N];

static int inverse(int x)
{
    int result = 1, e = P - 2;
    while (e > 0) {
        if (e % 2)
            result = result * x % P;
        x = x * x % P;
        e /= 2;
    }
    return result;
}

static void swap_rows(int r, int s)
{
    for (int c = 0; c < N; c++) {
        int t = a[r][c];
        a[r][c] = a[s][c];
        a[s][c] = t;
    }
}

static int rank(void)
{
    int r = 0;
    for (int c = 0; c < N && r < N; c++) {
        int p = r;
        while (p < N && a[p][c] == 0)
            p++;
        if (p == N)
            continue;
        swap_rows(p, r);
        int inv = inverse(a[r][c]);
        for (int i = r + 1; i < N; i++) {
            int f = a[i][c] * inv % P;
            for (int k = c; k < N; k++)
                a[i][k] = (a[i][k] + (P - f) * a[r][k]) % P;
        }
        r++;
    }
    return r;
}

int main(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i][j] = (int)(__VERIFIER_nondet_uint() % P);
    return rank();
}
