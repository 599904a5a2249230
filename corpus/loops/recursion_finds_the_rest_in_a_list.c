#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

struct node {
    struct node *next;
    int *rounds;
};

/* Each node knows the number of rounds, and sets it. */
static void visit(struct node *list)
{
    if (list == NULL)
        return;
    *list->rounds = 10;
    visit(list->next);
}

int main(void)
{
    int *rounds = malloc(sizeof *rounds);
    struct node *list = NULL;
    *rounds = 10;
    for (unsigned n = __VERIFIER_nondet_uint(); n > 0; n--) {
        struct node *node = malloc(sizeof *node);
        node->next = list;
        node->rounds = rounds;
        list = node;
    }
    while (*rounds > 0) {
        --*rounds;
        visit(list);
    }
    return 0;
}
