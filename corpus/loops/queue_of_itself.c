#include <stdlib.h>

struct entry {
    struct entry *next;
};

static struct entry *first, *last;

static void append(struct entry *entry)
{
    if (last != NULL)
        last->next = entry;
    else
        first = entry;
    last = entry;
}

int main(void)
{
    struct entry *entry = calloc(1, sizeof *entry);
    if (entry == NULL)
        return 1;
    append(entry);
    append(entry);
    while (first != NULL)
        first = first->next;
    return 0;
}
