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
    struct node *a = build(__VERIFIER_nondet_uint());
    struct node *b = build(__VERIFIER_nondet_uint());
    unsigned entries = 0;
    while (a != NULL || b != NULL) {
        if (b == NULL || (a != NULL && a->value <= b->value))
            a = a->next;
        else
            b = b->next;
        entries++;
    }
    return entries > 0;
}
