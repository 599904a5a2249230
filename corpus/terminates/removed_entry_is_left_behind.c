#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct entry {
    struct entry *next;
    struct entry *previous;
    int file;
};

static struct entry queue;

static void insert(struct entry *entry)
{
    entry->next = queue.next;
    entry->previous = &queue;
    queue.next->previous = entry;
    queue.next = entry;
}

static void remove_entry(struct entry *entry)
{
    entry->previous->next = entry->next;
    entry->next->previous = entry->previous;
    /* Made an empty list of its own. */
    entry->next = entry->previous = entry;
}

int main(void)
{
    queue.next = queue.previous = &queue;
    for (int i = 0; i < 3; i++) {
        struct entry *entry = malloc(sizeof *entry);
        if (entry == NULL)
            return 1;
        entry->file = __VERIFIER_nondet_int();
        insert(entry);
    }
    for (struct entry *p = queue.next, *next; p != &queue; p = next) {
        next = p->next;
        if (p->file == 7)
            remove_entry(p);
    }
    return 0;
}
