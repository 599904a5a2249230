#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

int main(void)
{
    struct node *list = malloc(sizeof *list);
    if (list == NULL)
        return 1;
    list->value = 0;
    list->next = NULL;
    struct node *node = list;
    while (node != NULL) {
        node = malloc(sizeof *node);
        if (node != NULL) {
            node->value = 1;
            node->next = list;
            list = node;
        }
    }
    return 0;
}
