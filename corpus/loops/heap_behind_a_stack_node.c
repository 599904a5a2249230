#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

struct node {
    struct node *next;
    int value;
};

static void push(struct node *head)
{
    struct node *node = malloc(sizeof *node);
    node->value = 0;
    node->next = head->next;
    head->next = node;
}

static void pop(struct node *head)
{
    struct node *node = head->next;
    head->next = node->next;
    free(node);
}

/* The list begins with a node of the stack; what follows is of the heap, and may be freed. Then it hangs. */
int main(void)
{
    struct node head = {NULL, 0};
    int freed = 0;
    for (unsigned n = __VERIFIER_nondet_uint(); n > 0; n--)
        push(&head);
    while (head.next != NULL) {
        pop(&head);
        freed = 1;
    }
    while (freed)
        ;
    return 0;
}
