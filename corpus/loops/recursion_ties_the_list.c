#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

struct node {
    struct node *next;
};

/* The last call links the last node to the first one, and returns. */
static void tie(struct node *node, struct node *first)
{
    if (node->next != NULL)
        tie(node->next, first);
    else
        node->next = first;
}

int main(void)
{
    struct node *list = malloc(sizeof *list);
    list->next = NULL;
    for (unsigned n = __VERIFIER_nondet_uint(); n > 0; n--) {
        struct node *node = malloc(sizeof *node);
        node->next = list;
        list = node;
    }
    tie(list, list);
    for (struct node *node = list; node != NULL;)
        node = node->next;
    return 0;
}
