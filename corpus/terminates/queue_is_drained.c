#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

struct entry {
    struct entry *next;
};

struct queue {
    struct entry *first;
    struct entry *last;
};

int main(void)
{
    struct queue queue = {NULL, NULL};
    unsigned n = __VERIFIER_nondet_uint();
    for (unsigned i = 0; i < n; i++) {
        struct entry *entry = malloc(sizeof *entry);
        if (entry == NULL)
            return 1;
        entry->next = NULL;
        if (queue.last != NULL)
            queue.last->next = entry;
        else
            queue.first = entry;
        queue.last = entry;
    }
    while (queue.first != NULL) {
        struct entry *entry = queue.first;
        queue.first = entry->next;
        free(entry);
    }
    return 0;
}
