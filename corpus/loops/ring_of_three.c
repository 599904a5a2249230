#include <stdlib.h>

struct node {
    struct node *next;
};

int main(void)
{
    struct node *first = malloc(sizeof *first);
    struct node *second = malloc(sizeof *second);
    struct node *third = malloc(sizeof *third);
    if (!first || !second || !third)
        return 1;
    first->next = second;
    second->next = third;
    third->next = first;
    for (struct node *p = first; p; p = p->next)
        ;
    return 0;
}
