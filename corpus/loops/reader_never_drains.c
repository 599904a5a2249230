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

/* What is taken out is put in again. */
int main(void)
{
    struct node *list = build(1);
    while (list != NULL) {
        struct node *node = list;
        list = node->next;
        if (node->value != 0) {
            node->next = list;
            list = node;
        }
    }
    return 0;
}
