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

int main(void)
{
    struct node *list = build(__VERIFIER_nondet_uint());
    int wanted = __VERIFIER_nondet_int();
    struct node *p = list;
    while (p != NULL && p->value != wanted)
        p = p->next;
    return p != NULL;
}
