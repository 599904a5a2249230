struct node {
    struct node *next;
    int value;
};

/* Whether this ends depends on the list, which somebody has looked at. */
int sum(const struct node *node)
{
    int total = 0;
    // ouro: terminates because nothing in this project links a node to an earlier one
    while (node != 0) {
        total += node->value;
        node = node->next;
    }
    return total;
}
