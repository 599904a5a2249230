#include <stdlib.h>
struct node { struct node *next; int value; };
int main(void) {
    struct node *list = calloc(1, sizeof *list);
    free(list);
    return list->value; // undefined: read of allocated memory after its life ended
}
