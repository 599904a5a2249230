/* A forward analysis for recurrent sets, Example 4: only an allocation that fails ends it.
   truth: c loops, wrap loops, unbounded loops */
#include <stdlib.h>
struct cell { struct cell *n; };
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    struct cell *x = NULL, *y;
    while (__VERIFIER_nondet_int()) {
        y = malloc(sizeof *y);
        if (y == NULL)
            return 1;
        y->n = x;
        x = y;
    }
    y = x;
    while (y != NULL) {
        y = malloc(sizeof *y);
        if (y != NULL)
            y->n = x;
        x = y;
    }
    return 0;
}
