#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

/* The walk looks for the end of a list that grows in front of it. */
int main(void)
{
    struct node *first = malloc(sizeof *first);
    if (first == NULL)
        return 1;
    first->next = NULL;
    struct node *last = first;
    for (struct node *p = first; p != NULL; p = p->next)
        for (int i = 0; i < 2; i++) {
            struct node *node = malloc(sizeof *node);
            if (node == NULL)
                return 1;
            node->next = NULL;
            last->next = node;
            last = node;
        }
    return 0;
}
