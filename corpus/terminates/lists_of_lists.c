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

struct row {
    struct row *next;
    struct node *entries;
    long padding;
};

int main(void)
{
    struct row *rows = NULL;
    unsigned n = __VERIFIER_nondet_uint();
    struct node *entries = build(__VERIFIER_nondet_uint());
    for (unsigned i = 0; i < n; i++) {
        struct row *row = malloc(sizeof *row);
        if (row == NULL)
            return 1;
        row->next = rows;
        row->entries = NULL;
        rows = row;
    }
    for (struct row *row = rows; row != NULL; row = row->next)
        for (struct node *p = entries; p != NULL; p = p->next)
            ;
    return 0;
}
