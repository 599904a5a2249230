#include <stdlib.h>

struct node {
    struct node *next;
    struct node *previous;
};

int main(void)
{
    struct node *a = calloc(1, sizeof *a), *b = calloc(1, sizeof *b);
    if (a == NULL || b == NULL)
        return 1;
    a->next = b;
    b->previous = a;
    for (struct node *p = a; p != NULL; p = p->next != NULL ? p->next : p->previous)
        ;
    return 0;
}
