/* A queue of entries that are embedded in records. An entry that is removed is linked to itself, and the
   walk goes on from there. */
#include <stddef.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct entry {
    struct entry *next;
    struct entry *previous;
};

struct request {
    int file;
    struct entry entry;
};

#define request_of(e) ((struct request *)((char *)(e) - offsetof(struct request, entry)))

static struct entry queue = {&queue, &queue};

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
}

int main(void)
{
    for (int i = 0; i < 3; i++) {
        struct request *request = malloc(sizeof *request);
        if (request == NULL)
            return 1;
        request->file = __VERIFIER_nondet_int();
        insert(&request->entry);
    }
    int closed = __VERIFIER_nondet_int();
    for (struct entry *p = queue.next; p != &queue; p = p->next)
        if (request_of(p)->file == closed) {
            remove_entry(p);
            p->next = p->previous = p;
        }
    return 0;
}
