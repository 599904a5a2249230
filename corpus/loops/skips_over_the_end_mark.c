#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

static struct node *build(unsigned n)
{
    struct node *list = NULL;
    for (unsigned i = 0; i < n; i++) {
        struct node *node = malloc(sizeof *node);
        if (node == NULL)
            exit(1);
        node->value = __VERIFIER_nondet_int();
        node->next = list;
        list = node;
    }
    return list;
}

/* A ring of four with a mark in the last entry, walked two entries at a time. */
int main(void)
{
    struct node *list = build(4);
    struct node *last = list->next->next->next;
    for (struct node *p = list; p != NULL; p = p->next)
        p->value = 0;
    last->next = list;
    last->value = -1;
    struct node *p = list;
    while (p->value != -1)
        p = p->next->next;
    return 0;
}
