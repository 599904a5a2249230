/* The list gets longer until there are enough nodes, and is then given back. */
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

struct node {
    int value;
    struct node *next;
};

int main(void)
{
    struct node *list = calloc(1, sizeof *list);
    if (list == NULL)
        return 1;
    for (unsigned missing = __VERIFIER_nondet_uint(); missing > 0; missing--) {
        struct node *node = malloc(sizeof *node);
        if (node == NULL)
            break;
        node->value = 1;
        node->next = list;
        list = node;
    }
    while (list != NULL) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
