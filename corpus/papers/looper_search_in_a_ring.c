/* LOOPER, Figure 2, on the list of Figure 3: the index is counted on around a ring.
   truth: c overflow, wrap loops, unbounded loops */
#include <stddef.h>
typedef struct node { int data; struct node *next; } *Node;

int find(Node head, int x)
{
    int index = 0;
    Node p = head;
    while (p != NULL) {
        if (p->data == x)
            return index;
        index++;
        p = p->next;
    }
    return -1;
}

int main(void)
{
    struct node O13, O25, O37;
    O13.data = 3, O13.next = &O25;
    O25.data = 12, O25.next = &O37;
    O37.data = 5, O37.next = &O13;
    return find(&O13, 7);
}
