#include <stdlib.h>

struct entry {
    int value;
};

struct row {
    struct row *next;
    struct entry *entry;
    long length;
};

/* Each row has an entry of its own. */
int main(void)
{
    struct row *rows = NULL;
    do {
        struct row *row = malloc(sizeof *row);
        if (row == NULL)
            return 1;
        row->entry = malloc(sizeof *row->entry);
        if (row->entry == NULL)
            return 1;
        row->entry->value = 3;
        row->next = rows;
        rows = row;
    } while (rows->entry->value == 3);
    return 0;
}
