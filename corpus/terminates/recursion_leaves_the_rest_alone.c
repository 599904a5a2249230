#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

/* Spends all that is in a purse, one coin a call, and says how much is left: nothing, or a debt. */
static int spend(int *purse)
{
    if (*purse <= 0) {
        int left = *purse;
        free(purse);
        return left;
    }
    int *smaller = malloc(sizeof *smaller);
    *smaller = *purse - 1;
    free(purse);
    return spend(smaller);
}

/* No call can find the number of rounds. */
int main(void)
{
    int *rounds = malloc(sizeof *rounds);
    *rounds = __VERIFIER_nondet_int();
    while (*rounds > 0) {
        int *purse = malloc(sizeof *purse);
        *purse = __VERIFIER_nondet_int();
        if (spend(purse) <= 0)
            --*rounds;
    }
    free(rounds);
    return 0;
}
