#include <stdlib.h>

struct node {
    struct node *next;
    long visits;
};

/* The ring gets another node in every iteration, in front of the walker. */
int main(void)
{
    struct node *p = malloc(sizeof *p);
    if (p == NULL)
        return 1;
    p->next = p;
    p->visits = 0;
    while (p != NULL) {
        struct node *node = malloc(sizeof *node);
        if (node == NULL)
            return 1;
        node->visits = 0;
        node->next = p->next;
        p->next = node;
        p = node->next;
    }
    return 0;
}
