#include <stdlib.h>

struct node {
    struct node *next;
    struct node *previous;
};

/* A node is put behind the last one in every iteration, and the last one is never the first. */
int main(void)
{
    struct node *first = calloc(1, sizeof *first);
    struct node *last = first;
    do {
        struct node *node = malloc(sizeof *node);
        if (node == NULL || last == NULL)
            return 1;
        node->next = NULL;
        node->previous = last;
        last->next = node;
        last = node;
    } while (last->previous != NULL);
    return 0;
}
