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
    struct node *end = malloc(sizeof *end);
    if (end == NULL)
        return 1;
    end->next = NULL;
    if (list == NULL) {
        list = end;
    } else {
        struct node *p = list;
        while (p->next != NULL)
            p = p->next;
        p->next = end;
    }
    for (struct node *p = list; p != NULL; p = p->next)
        p->value = 0;
    return 0;
}
