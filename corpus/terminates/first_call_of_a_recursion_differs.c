#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

/* Only a call with nothing to do writes to where it was told; what an inner call writes is thrown away. */
static void dig(int *depth, int n)
{
    if (n < 0) {
        *depth = 0;
        return;
    }
    int *below = malloc(sizeof *below);
    dig(below, n - 1);
    free(below);
}

int main(void)
{
    int *depth = malloc(sizeof *depth);
    *depth = __VERIFIER_nondet_int();
    while (*depth > 0) {
        int before = *depth;
        dig(depth, before);
        *depth = *depth - 1;
    }
    free(depth);
    return 0;
}
