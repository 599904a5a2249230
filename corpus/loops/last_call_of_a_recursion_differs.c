#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

/* The innermost call writes to where the first one was told. */
static void dig(int *depth, int n)
{
    if (n < 0) {
        *depth = *depth + 1;
        return;
    }
    int *below = malloc(sizeof *below);
    *below = 0;
    dig(n % 2 == 0 ? depth : below, n - 2);
    free(below);
}

int main(void)
{
    int *depth = malloc(sizeof *depth);
    *depth = __VERIFIER_nondet_int();
    while (*depth > 0) {
        dig(depth, 4);
        *depth = *depth - 1;
    }
    free(depth);
    return 0;
}
