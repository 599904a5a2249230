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

static struct node *top;

static void push(int value)
{
    struct node *node = malloc(sizeof *node);
    if (node == NULL)
        exit(1);
    node->value = value;
    node->next = top;
    top = node;
}

static int pop(void)
{
    struct node *node = top;
    int value = node->value;
    top = node->next;
    free(node);
    return value;
}

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    while (n > 0) {
        push(__VERIFIER_nondet_int());
        n--;
    }
    while (top != NULL)
        pop();
    return 0;
}
