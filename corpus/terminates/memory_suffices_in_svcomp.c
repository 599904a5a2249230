/* Ends unless there is no memory for the cell: in SV-COMP, whose function this calls, there is. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int value = __VERIFIER_nondet_int();
    int *cell = malloc(sizeof *cell);
    while (cell == NULL)
        ;
    *cell = value;
    free(cell);
    return 0;
}
