// Endless if both runs start with the same key: neither branch takes it.
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

static int merge(const int *x, int nx, const int *y, int ny, int *out)
{
    int i = 0, j = 0, k = 0;
    while (i < nx && j < ny) {
        if (x[i] < y[j])
            out[k++] = x[i++];
        else if (y[j] < x[i])
            out[k++] = y[j++];
    }
    while (i < nx)
        out[k++] = x[i++];
    while (j < ny)
        out[k++] = y[j++];
    return k;
}

int main(void)
{
    int x[4], y[4], out[8];
    for (int i = 0; i < 4; i++) {
        x[i] = __VERIFIER_nondet_int();
        y[i] = __VERIFIER_nondet_int();
    }
    printf("%d\n", merge(x, 4, y, 4, out));
    return 0;
}
