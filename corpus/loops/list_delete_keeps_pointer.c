/* The removed node is passed by following it, and it points at itself. */
#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

int main(void)
{
    struct node *head = NULL;
    for (int i = 0; i < 3; i++) {
        struct node *n = malloc(sizeof *n);
        if (!n)
            return 1;
        n->value = i;
        n->next = head;
        head = n;
    }
    int x;
    if (scanf("%d", &x) != 1)
        return 1;
    for (struct node *p = head; p; p = p->next)
        if (p->value == x)
            p->next = p;
    return 0;
}
