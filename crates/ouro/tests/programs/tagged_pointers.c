// Marks in the low bits of addresses, and a list linked by the exclusive or of its neighbours.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
    uintptr_t link;
    int value;
};

static struct node *step(struct node *before, struct node *here) {
    return (struct node *)(here->link ^ (uintptr_t)before);
}

int main(void) {
    int *p = malloc(sizeof *p);
    *p = 42;
    uintptr_t marked = (uintptr_t)p | 1;
    printf("%d %d\n", (int)(marked & 1), *(int *)(marked & ~(uintptr_t)1));
    printf("%d\n", *(int *)(marked - 1));
    free(p);
    struct node nodes[5];
    for (int i = 0; i < 5; i++) {
        uintptr_t before = i > 0 ? (uintptr_t)&nodes[i - 1] : 0;
        uintptr_t after = i < 4 ? (uintptr_t)&nodes[i + 1] : 0;
        nodes[i] = (struct node){before ^ after, i * 7};
    }
    struct node *before = NULL, *here = nodes;
    while (here) {
        printf("%d ", here->value);
        struct node *next = step(before, here);
        before = here;
        here = next;
    }
    printf("\n");
    return 0;
}
