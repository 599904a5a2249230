#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

struct node {
    struct node *next;
};

/* The last of the list points at the first. */
int main(void)
{
    struct node *first = malloc(sizeof *first);
    if (first == NULL)
        return 1;
    first->next = first;
    unsigned n = __VERIFIER_nondet_uint();
    for (unsigned i = 0; i < n; i++) {
        struct node *node = malloc(sizeof *node);
        if (node == NULL)
            return 1;
        node->next = first->next;
        first->next = node;
    }
    for (struct node *p = first; p != NULL; p = p->next)
        ;
    return 0;
}
