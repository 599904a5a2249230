/* A list that is a circle, and a search in it for what is not there: it hangs.
   gcc -g -o hangs hangs.c, start it, and ask: ouro attach PID */
#include <stdlib.h>

struct node { int data; struct node *next; };

static struct node *ring(int length) {
    struct node *first = malloc(sizeof *first), *last = first;
    first->data = 0;
    for (int i = 1; i < length; i++) {
        last->next = malloc(sizeof *last);
        last = last->next;
        last->data = i;
    }
    last->next = first;
    return first;
}

static int find(struct node *p, int wanted) {
    int index = 0;
    while (p) {
        if (p->data == wanted)
            return index;
        index++;
        p = p->next;
    }
    return -1;
}

int main(void) { return find(ring(3), 77); }
