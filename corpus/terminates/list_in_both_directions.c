#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

struct node {
    struct node *next;
    struct node *previous;
};

int main(void)
{
    struct node *list = NULL;
    unsigned n = __VERIFIER_nondet_uint();
    for (unsigned i = 0; i < n; i++) {
        struct node *node = malloc(sizeof *node);
        if (node == NULL)
            return 1;
        node->next = list;
        node->previous = NULL;
        if (list != NULL)
            list->previous = node;
        list = node;
    }
    for (struct node *p = list; p != NULL; p = p->next)
        ;
    return 0;
}
