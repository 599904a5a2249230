#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

struct node {
    struct node *next;
    struct node *previous;
};

/* Taken off at the front, with the link back kept right. */
int main(void)
{
    struct node *first = NULL;
    for (unsigned n = __VERIFIER_nondet_uint(); n > 0; n--) {
        struct node *node = malloc(sizeof *node);
        node->next = first;
        node->previous = NULL;
        if (first != NULL)
            first->previous = node;
        first = node;
    }
    while (first != NULL) {
        struct node *node = first;
        first = node->next;
        if (first != NULL)
            first->previous = NULL;
        free(node);
    }
    return 0;
}
