#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct purse {
    int coins;
    int *rounds;
};

/* The last call gives back the round that was used up. */
static int spend(struct purse *purse)
{
    if (purse->coins <= 0) {
        int left = purse->coins;
        ++*purse->rounds;
        free(purse);
        return left;
    }
    purse->coins--;
    return spend(purse);
}

int main(void)
{
    int *rounds = malloc(sizeof *rounds);
    *rounds = 3;
    while (*rounds > 0) {
        struct purse *purse = malloc(sizeof *purse);
        purse->coins = __VERIFIER_nondet_int();
        purse->rounds = rounds;
        if (spend(purse) <= 0)
            --*rounds;
    }
    free(rounds);
    return 0;
}
