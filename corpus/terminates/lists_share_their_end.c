#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

struct node {
    struct node *next;
};

static struct node *before(struct node *next)
{
    struct node *node = malloc(sizeof *node);
    node->next = next;
    return node;
}

/* Two lists of any length end in the same node. */
int main(void)
{
    struct node *end = before(NULL);
    struct node *one = end;
    struct node *other = end;
    for (unsigned n = __VERIFIER_nondet_uint(); n > 0; n--)
        one = before(one);
    for (unsigned n = __VERIFIER_nondet_uint(); n > 0; n--)
        other = before(other);
    while (one != NULL)
        one = one->next;
    while (other != NULL)
        other = other->next;
    return 0;
}
