/* The list gets longer as long as it is not empty, so no state ever comes back. */
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

int main(void)
{
    struct node *list = calloc(1, sizeof *list);
    while (list != NULL) {
        struct node *node = malloc(sizeof *node);
        if (node == NULL)
            break;
        node->value = 1;
        node->next = list;
        list = node;
    }
    return 0;
}
