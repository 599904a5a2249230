/* A forward analysis for recurrent sets, Example 3: a search in a list that may be a ring.
   truth: c loops, wrap loops, unbounded loops */
#include <stdlib.h>
struct cell { int c; struct cell *n; };
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    struct cell *x = NULL, *y, *last = NULL;
    while (__VERIFIER_nondet_int()) {
        y = malloc(sizeof *y);
        if (y == NULL)
            return 1;
        y->c = __VERIFIER_nondet_int();
        y->n = x;
        x = y;
        if (last == NULL)
            last = y;
    }
    if (last != NULL && __VERIFIER_nondet_int())
        last->n = x;
    y = x;
    while (y != NULL && !y->c)
        y = y->n;
    return 0;
}
