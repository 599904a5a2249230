struct node {
    int next; /* the index of the next one, -1 at the end */
    int value;
};

/* Whether this ends depends on the list, which somebody has looked at. */
int sum(const struct node *nodes, int at)
{
    int total = 0;
    // ouro: terminates because nothing in this project links a node to an earlier one
    while (at >= 0) {
        total += nodes[at].value;
        at = nodes[at].next;
    }
    return total;
}
