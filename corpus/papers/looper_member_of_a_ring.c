/* LOOPER, Figure 6: the search of Figure 2 without an index.
   truth: c loops, wrap loops, unbounded loops */
#include <stddef.h>
struct node { int data; struct node *next; };

static int member(struct node *head, int x)
{
    struct node *p = head;
    while (p != NULL) {
        if (p->data == x) {
            return 1;
        }
        p = p->next;
    }
    return 0;
}

int main(void)
{
    struct node third = { 5, NULL }, second = { 12, &third }, first = { 3, &second };
    third.next = &first;
    return member(&first, 7);
}
