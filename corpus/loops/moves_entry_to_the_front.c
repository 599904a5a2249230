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

/* Each found entry is put first, and the search starts again. */
int main(void)
{
    struct node *list = build(2);
    struct node *p = list;
    while (p != NULL) {
        if (p->value > 0) {
            p->next = p == list ? p->next : list;
            list = p;
            p = list;
        } else {
            p = p->next;
        }
    }
    return 0;
}
