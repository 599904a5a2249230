/* The search stops at the end of the list, and a ring has none. */
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);

struct node {
    int key;
    struct node *next;
};

static struct node *new_node(struct node *next)
{
    struct node *node = malloc(sizeof *node);
    if (node == NULL)
        exit(1);
    node->key = __VERIFIER_nondet_int();
    node->next = next;
    return node;
}

int main(void)
{
    struct node *last = new_node(NULL);
    struct node *first = last;
    for (unsigned n = __VERIFIER_nondet_uint(); n > 0; n--)
        first = new_node(first);
    last->next = first;

    int wanted = __VERIFIER_nondet_int();
    struct node *p = first;
    while (p != NULL && p->key != wanted)
        p = p->next;
    return 0;
}
